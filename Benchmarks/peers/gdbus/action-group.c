// A hundred actions, exported as GLib exports those of an application: on a bus of its own, in a
// dbus-daemon that is this program's child. Writes the bus's address, and goes on until SIGTERM.

#include <gio/gio.h>
#include <glib-unix.h>

static gboolean stop(gpointer loop) {
  g_main_loop_quit(loop);
  return G_SOURCE_REMOVE;
}

// The same as the other peers answer: every third group of ten is disabled, its first is checked.
static GSimpleActionGroup *actions(void) {
  GSimpleActionGroup *group = g_simple_action_group_new();
  for (int number = 0; number < 100; number++) {
    g_autofree char *name = g_strdup_printf("command%d", number);
    g_autoptr(GSimpleAction) action =
        g_simple_action_new_stateful(name, NULL, g_variant_new_boolean(number % 10 == 0));
    g_simple_action_set_enabled(action, number / 10 % 3 != 0);
    g_action_map_add_action(G_ACTION_MAP(group), G_ACTION(action));
  }
  return group;
}

int main(void) {
  g_autoptr(GTestDBus) bus = g_test_dbus_new(G_TEST_DBUS_NONE);
  g_test_dbus_up(bus);
  g_autoptr(GError) error = NULL;
  g_autoptr(GDBusConnection) connection = g_dbus_connection_new_for_address_sync(
      g_test_dbus_get_bus_address(bus),
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
      NULL, NULL, &error);
  g_autoptr(GSimpleActionGroup) group = actions();
  if (connection == NULL || g_dbus_connection_export_action_group(
                                connection, "/actions", G_ACTION_GROUP(group), &error) == 0) {
    g_printerr("action-group: %s\n", error->message);
    return 1;
  }
  // The client addresses the connection by its own name, without asking the bus who owns another.
  g_print("%s %s\n", g_test_dbus_get_bus_address(bus), g_dbus_connection_get_unique_name(connection));

  g_autoptr(GMainLoop) loop = g_main_loop_new(NULL, FALSE);
  g_unix_signal_add(SIGTERM, stop, loop);
  g_main_loop_run(loop);
  g_test_dbus_stop(bus);
  return 0;
}
