// The workloads of GTK's benchmark of its actions: bindings are buttons with the name of an action, which GTK
// tells when the action changes. They are in no window but where they move, so that neither style nor layout
// is counted, and are bound before there is an action, since each that is bound later takes longer than the
// one before.
//
//   actions WORKLOAD BINDINGS        on the display of the environment
//
// prints two figures: the microseconds of setting up, and those of one step, in processor time of the thread.
// The first step is not counted, and the others are taken for a fifth of a second, but at least three times.

#include <gtk/gtk.h>
#include <stdio.h>
#include <time.h>

enum { actions = 100 };

static int bindings;
// The first of the nested boxes, and the one that the widgets are in.
static GtkWidget *root, *box;
static GtkWidget **widgets;

static double microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int targets(void) { return bindings < 10 ? 1 : bindings / 10; }

// MARK: What is set up

static GtkWidget *box_in(GtkWidget *parent) {
  GtkWidget *child = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append(GTK_BOX(parent), child);
  return child;
}

// A group of so many actions, enabled or not.
static GSimpleActionGroup *group_of(int count, gboolean is_enabled) {
  GSimpleActionGroup *group = g_simple_action_group_new();
  for (int number = 0; number < count; number++) {
    char name[32];
    g_snprintf(name, sizeof name, "action%d", number);
    GSimpleAction *action = g_simple_action_new(name, NULL);
    g_simple_action_set_enabled(action, is_enabled);
    g_action_map_add_action(G_ACTION_MAP(group), G_ACTION(action));
    g_object_unref(action);
  }
  return group;
}

static void insert(GtkWidget *widget, GSimpleActionGroup *group) {
  gtk_widget_insert_action_group(widget, "group", G_ACTION_GROUP(group));
}

// Inserts a group with one stateful action.
static GSimpleAction *insert_stateful(const char *name, const GVariantType *type, GVariant *state) {
  GSimpleActionGroup *group = g_simple_action_group_new();
  GSimpleAction *action = g_simple_action_new_stateful(name, type, state);
  g_action_map_add_action(G_ACTION_MAP(group), G_ACTION(action));
  insert(root, group);
  return action;
}

// Puts as many widgets as there are bindings into the box.
static void fill(GtkWidget *(*make)(void)) {
  widgets = g_new(GtkWidget *, bindings);
  for (int number = 0; number < bindings; number++) {
    widgets[number] = make();
    gtk_box_append(GTK_BOX(box), widgets[number]);
  }
}

// Fills the box and binds the widgets, each to one of so many actions of the group.
static void fill_bound(GtkWidget *(*make)(void), int count) {
  fill(make);
  for (int number = 0; number < bindings; number++) {
    char name[48];
    g_snprintf(name, sizeof name, "group.action%d", number % count);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(widgets[number]), name);
  }
}

// MARK: What is checked

static void expect(gboolean condition, const char *what) {
  if (condition)
    return;
  fprintf(stderr, "actions: %s\n", what);
  exit(1);
}

static int sensitive_count(void) {
  int count = 0;
  for (int number = 0; number < bindings; number++)
    count += gtk_widget_get_sensitive(widgets[number]);
  return count;
}

static int active_count(void) {
  int count = 0;
  for (int number = 0; number < bindings; number++)
    count += gtk_toggle_button_get_active(GTK_TOGGLE_BUTTON(widgets[number]));
  return count;
}

// MARK: The workloads: each sets up, takes a step, and checks what came of it

typedef struct {
  const char *name;
  void (*set_up)(void);
  // Done before a step, and not counted.
  void (*prepare)(void);
  void (*step)(int number);
  void (*check)(int number);
} Workload;

static void nothing(void) {}

// What the bindings are told of at once.
static GSimpleActionGroup *group;

static void set_up_one_name(void) {
  group = group_of(1, TRUE);
  fill_bound(gtk_button_new, 1);
}
static void set_up_hundred_names(void) {
  group = group_of(actions, TRUE);
  fill_bound(gtk_button_new, actions);
}
// The groups further out have the action disabled.
static void set_up_shadows(void) {
  GtkWidget *nested[actions] = {root};
  for (int level = 1; level < actions; level++)
    nested[level] = box_in(nested[level - 1]);
  box = nested[actions - 1];
  fill_bound(gtk_button_new, 1);
  group = group_of(1, TRUE);
  for (int level = actions - 2; level >= 0; level--)
    insert(nested[level], group_of(1, FALSE));
}
static void take_out(void) { gtk_widget_insert_action_group(box, "group", NULL); }
static void put_in(int number) { (void)number, insert(box, group); }
static void check_all_sensitive(int number) {
  (void)number;
  expect(sensitive_count() == bindings, "not all buttons can be pressed");
}

static GSimpleAction *action;

static void set_up_toggles(void) {
  fill_bound(gtk_toggle_button_new, 1);
  action = insert_stateful("action0", NULL, g_variant_new_boolean(FALSE));
}
static void toggle(int number) {
  g_simple_action_set_state(action, g_variant_new_boolean(number % 2));
}
static void check_toggle(int number) {
  expect(active_count() == (number % 2 ? bindings : 0), "not all buttons show the state");
}

static void set_up_radio(void) {
  fill(gtk_toggle_button_new);
  for (int number = 0; number < bindings; number++) {
    GtkActionable *button = GTK_ACTIONABLE(widgets[number]);
    gtk_actionable_set_action_target(button, "i", number % targets());
    gtk_actionable_set_action_name(button, "group.radio");
  }
  action = insert_stateful("radio", G_VARIANT_TYPE_INT32, g_variant_new_int32(0));
}
static void choose(int number) {
  g_simple_action_set_state(action, g_variant_new_int32(number % targets()));
}
static void check_choice(int number) {
  expect(active_count() == bindings / targets(), "not just one value is shown");
  GtkToggleButton *button = GTK_TOGGLE_BUTTON(widgets[number % targets()]);
  expect(gtk_toggle_button_get_active(button), "another value is shown");
}

static GtkWidget *left, *right, *subtree;

static void set_up_subtree(void) {
  // Outside of a window GTK does not look for actions again when a widget moves.
  gtk_window_set_child(GTK_WINDOW(gtk_window_new()), root);
  left = box_in(root);
  right = box_in(root);
  subtree = box = box_in(left);
  fill_bound(gtk_button_new, 1);
  insert(root, group_of(1, TRUE));
}
static void move(int number) {
  g_object_ref(subtree);
  gtk_box_remove(GTK_BOX(number % 2 ? left : right), subtree);
  gtk_box_append(GTK_BOX(number % 2 ? right : left), subtree);
  g_object_unref(subtree);
}

static GSimpleActionGroup *groups[2];

static void set_up_groups(void) {
  groups[0] = group_of(actions, TRUE);
  groups[1] = group_of(actions, TRUE);
  fill_bound(gtk_button_new, actions);
  insert(root, groups[0]);
}
static void replace(int number) {
  insert(root, groups[number % 2]);
}
// That the buttons are those of the new group's actions shows when one of these is disabled.
static void check_group(int number) {
  check_all_sensitive(number);
  GAction *first = g_action_map_lookup_action(G_ACTION_MAP(groups[number % 2]), "action0");
  g_simple_action_set_enabled(G_SIMPLE_ACTION(first), FALSE);
  expect(sensitive_count() == bindings - bindings / actions, "the buttons are another group's");
  g_simple_action_set_enabled(G_SIMPLE_ACTION(first), TRUE);
}

static void set_up_texts(void) { fill(gtk_text_new); }
static void toggle_property(int number) {
  gtk_widget_activate_action(widgets[number % bindings], "misc.toggle-visibility", NULL);
}
static void check_property(int number) {
  GtkText *text = GTK_TEXT(widgets[number % bindings]);
  gboolean was_visible = gtk_text_get_visibility(text);
  toggle_property(number);
  expect(gtk_text_get_visibility(text) != was_visible, "the property did not change");
  toggle_property(number);
}

static const Workload workloads[] = {
    {"same-name-bindings", set_up_one_name, take_out, put_in, check_all_sensitive},
    {"100-action-names", set_up_hundred_names, take_out, put_in, check_all_sensitive},
    {"deep-shadowing", set_up_shadows, take_out, put_in, check_all_sensitive},
    {"state-toggles", set_up_toggles, nothing, toggle, check_toggle},
    {"radio-targets", set_up_radio, nothing, choose, check_choice},
    {"subtree-moves", set_up_subtree, nothing, move, check_all_sensitive},
    {"group-replacement", set_up_groups, nothing, replace, check_group},
    {"property-actions", set_up_texts, nothing, toggle_property, check_property},
};

static const Workload *workload_named(const char *name) {
  for (size_t index = 0; index < G_N_ELEMENTS(workloads); index++)
    if (g_str_equal(workloads[index].name, name))
      return &workloads[index];
  return NULL;
}

// The mean of the steps.
static double measure_steps(const Workload *workload) {
  double spent = 0;
  int number = 1;
  workload->prepare();
  workload->step(number);
  workload->check(number);
  for (int count = 0; count < 3 || (spent < 200000 && count < 1 << 16); count++) {
    workload->prepare();
    double start = microseconds();
    workload->step(++number);
    spent += microseconds() - start;
  }
  workload->check(number);
  return spent / (number - 1);
}

int main(int count, char **arguments) {
  const Workload *workload = count == 3 ? workload_named(arguments[1]) : NULL;
  bindings = count == 3 ? atoi(arguments[2]) : 0;
  if (workload == NULL || bindings < actions) {
    fprintf(stderr, "usage: actions WORKLOAD BINDINGS (100 or more)\n");
    return 2;
  }
  gtk_init();
  root = box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  double start = microseconds();
  workload->set_up();
  double setting_up = microseconds() - start;
  printf("%.1f\t%.3f\n", setting_up, measure_steps(workload));
  return 0;
}
