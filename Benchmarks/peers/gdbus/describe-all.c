// Asks an exported action group for all its actions, again and again, with so many calls outstanding.
// Writes what the script of wrk writes: calls, microseconds, errors.
//
//   describe-all ADDRESS NAME SECONDS OUTSTANDING

#include <gio/gio.h>
#include <stdlib.h>

static const char *name;
static GMainLoop *loop;
static gint64 start, end;
static guint outstanding, answered, failed;

static void call(GDBusConnection *connection);

static void finish(GObject *source, GAsyncResult *result, gpointer data) {
  (void)data;
  GDBusConnection *connection = G_DBUS_CONNECTION(source);
  g_autoptr(GVariant) answer = g_dbus_connection_call_finish(connection, result, NULL);
  g_autoptr(GVariant) actions = answer ? g_variant_get_child_value(answer, 0) : NULL;
  if (actions && g_variant_n_children(actions) == 100)
    answered++;
  else
    failed++;
  outstanding--;
  if (g_get_monotonic_time() < end)
    call(connection);
  else if (outstanding == 0)
    g_main_loop_quit(loop);
}

static void call(GDBusConnection *connection) {
  outstanding++;
  g_dbus_connection_call(connection, name, "/actions", "org.gtk.Actions", "DescribeAll", NULL,
                         G_VARIANT_TYPE("(a{s(bgav)})"), G_DBUS_CALL_FLAGS_NONE, -1, NULL, finish,
                         NULL);
}

int main(int count, char **arguments) {
  if (count != 5) {
    g_printerr("usage: describe-all ADDRESS NAME SECONDS OUTSTANDING\n");
    return 2;
  }
  g_autoptr(GError) error = NULL;
  g_autoptr(GDBusConnection) connection = g_dbus_connection_new_for_address_sync(
      arguments[1],
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
      NULL, NULL, &error);
  if (connection == NULL) {
    g_printerr("describe-all: %s\n", error->message);
    return 1;
  }
  name = arguments[2];
  loop = g_main_loop_new(NULL, FALSE);
  start = g_get_monotonic_time();
  end = start + atoll(arguments[3]) * G_USEC_PER_SEC;
  for (int index = atoi(arguments[4]); index > 0; index--)
    call(connection);
  g_main_loop_run(loop);
  g_print("%u\t%" G_GINT64_FORMAT "\t%u\n", answered, g_get_monotonic_time() - start, failed);
  return 0;
}
