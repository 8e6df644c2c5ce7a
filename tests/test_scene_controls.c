/* Controls: what each does to a body, when it acts, and which make no sense. */
#include "scene_base.h"

#include "api/handle.h"

/* a bead of 1 kg at (0,0,0) and one of 2 kg at (1,0,0), steps of 0.01 s, without gravity */
static abut_scene *beads(const char *gravity, const char *controls)
{
  double one = 3 / (4 * acos(-1) * 1e-6);
  abut_scene *s = parse_scene(quoted(
      "{'abut': 1, 'gravity': %s, 'time': {'step': 0.01, 'end': 100}, "
      "'method': {'name': 'ipc', 'tolerance': 1e-12}, 'objects': ["
      "{'name': 'a', 'kind': 'spheres', 'centers': [[0,0,0]], 'radii': [0.01], 'density': %.17g},"
      "{'name': 'b', 'kind': 'spheres', 'centers': [[1,0,0]], 'radii': [0.01], 'density': %.17g}],"
      "'controls': [%s]}",
      gravity, one, 2 * one, controls));
  must(s, abut_step(s, 0, NULL));
  return s;
}

static double velocity(abut_scene *s, const char *name, int c)
{
  return abut_velocities(s, abut_find_body(s, name))[c];
}

/* ---- windows ---- */

/* steps that start at 0.02, 0.03 and 0.04: from is in, until is not, to a billionth of a step */
static void a_control_acts_in_steps_that_start_in_its_window(void **state)
{
  (void)state;
  static const struct {
    const char *window;
    int steps;
  } w[] = {{", 'from': 0.02, 'until': 0.05", 3},
           {", 'from': 0.020000000000001, 'until': 0.050000000000001", 3},
           {", 'from': 0.0199999, 'until': 0.0500001", 4},
           {", 'from': 0.0200001, 'until': 0.0499999", 2},
           {", 'from': 0.07, 'until': 0.14", 7},
           {", 'until': 0.05", 5},
           {", 'from': null, 'until': null", 20},
           {", 'from': -1, 'until': 0.01", 1},
           {"", 20},
           {", 'from': 0.15", 5}};
  for (size_t k = 0; k < sizeof w / sizeof *w; k++) {
    abut_scene *s = beads("[0,0,0]", print_text("{'kind': 'force', 'object': 'a', "
                                                "'value': [0,0,1]%s}",
                                                w[k].window));
    abut_report r = take_steps(s, 20);
    if (fabs(r.momentum[2] - 0.01 * w[k].steps) > 1e-12)
      fail_msg("window %zu: momentum %.17g, expected %d steps", k, r.momentum[2], w[k].steps);
  }
}

/* ---- one by one ---- */

static void forces_add_momentum_per_vertex(void **state)
{
  (void)state;
  abut_scene *s = beads("[0,0,0]", "{'kind': 'force', 'object': '*', 'value': [3,0,6]}");
  abut_report r = take_steps(s, 10);
  assert_near(r.momentum[0], 2 * 3 * 0.1, 1e-11);
  assert_near(velocity(s, "a", 2), 0.6, 1e-11);
  assert_near(velocity(s, "b", 2), 0.3, 1e-11);
}

static void drag_slows_as_implicit_euler_says(void **state)
{
  (void)state;
  abut_scene *s = beads("[0,0,-10]", "{'kind': 'drag', 'object': 'a', 'rate': 12}");
  double v = 0;
  for (int k = 0; k < 10; k++) {
    take_steps(s, 1);
    v = (v - 0.1) / (1 + 12 * 0.01); /* the end-of-step velocity is dragged */
    assert_near(velocity(s, "a", 2), v, 1e-12);
  }
  assert_near(velocity(s, "b", 2), -1, 1e-12);
}

static void gravity_is_scaled_for_the_selected_alone(void **state)
{
  (void)state;
  abut_scene *s = beads("[0,0,-10]", "{'kind': 'gravity', 'object': 'a', 'indices': [0], "
                                     "'scale': 0.0, 'until': 0.05}, "
                                     "{'kind': 'gravity', 'object': 'b', 'scale': -0.5}");
  take_steps(s, 5);
  assert_near(velocity(s, "a", 2), 0, 1e-14);
  assert_near(velocity(s, "b", 2), 0.25, 1e-12);
  take_steps(s, 5);
  assert_near(velocity(s, "a", 2), -0.5, 1e-12);
}

/* m g = k x: 1 kg, 10 m/s^2, 50 N/m */
static void a_support_is_a_spring_to_a_moving_target(void **state)
{
  (void)state;
  abut_scene *s = beads("[0,0,-10]", "{'kind': 'support', 'object': 'a', 'stiffness': 50}, "
                                     "{'kind': 'drag', 'object': 'a', 'rate': 20}");
  take_steps(s, 600);
  assert_near(positions(s, "a")[2], -0.2, 1e-6);
  s = beads("[0,0,0]", "{'kind': 'support', 'object': 'a', 'stiffness': 50, 'motion': "
                       "{'keys': [{'t': 0}, {'t': 1, 'translate': [0,0,2]}]}}, "
                       "{'kind': 'drag', 'object': 'a', 'rate': 20}");
  take_steps(s, 700);
  assert_near(positions(s, "a")[2], 2, 1e-6);
}

static double apart(abut_scene *s)
{
  const double *x = positions(s, "p");
  double d = 0;
  for (int c = 0; c < 3; c++) d += (x[c] - x[3 + c]) * (x[c] - x[3 + c]);
  return sqrt(d);
}

/* two beads 1 m apart, and a tie between them */
static abut_scene *tied(const char *tie)
{
  abut_scene *s = parse_scene(quoted(
      "{'abut': 1, 'gravity': [0,0,0], 'time': {'step': 0.01, 'end': 100}, 'objects': ["
      "{'name': 'p', 'kind': 'spheres', 'centers': [[0,0,0], [1,0,0]], 'radii': [0.01, 0.01], "
      "'density': 1e5}], 'controls': [{'kind': 'drag', 'object': 'p', 'rate': 20}, "
      "{'kind': 'tie', 'object': 'p', 'pairs': [[0,1]], 'stiffness': 250%s}]}",
      tie));
  must(s, abut_step(s, 0, NULL));
  return s;
}

static void a_tie_draws_its_ends_to_its_length(void **state)
{
  (void)state;
  abut_scene *s = tied("");
  take_steps(s, 100);
  assert_near(apart(s), 1, 1e-9);
  s = tied(", 'length': [[0, 0.4]]");
  take_steps(s, 400);
  assert_near(apart(s), 0.4, 1e-5);
  /* linear in time from what it is at activation, held after the last point */
  s = tied(", 'length': [[0, 'current'], [2, 0.6]]");
  take_steps(s, 700);
  assert_near(apart(s), 0.6, 1e-5);
  s = tied(", 'length_scale': [[0, 1.0], [1, 0.5]]");
  take_steps(s, 600);
  assert_near(apart(s), 0.5, 1e-5);
  /* half way down the ramp: a slow ramp is followed closely */
  s = tied(", 'length_scale': [[0, 1.0], [8, 0.5]]");
  take_steps(s, 400);
  assert_near(apart(s), 0.75, 0.05);
}

static void a_solver_control_changes_the_tolerance_in_its_window(void **state)
{
  (void)state;
  static const char scene[] =
      "{'abut': 1, 'time': {'step': 0.01, 'end': 0.06}, 'method': {'name': 'ipc', 'tolerance': "
      "1e-3}, 'materials': {'m': {'model': 'stvk', 'youngs_modulus': 1e5, 'poissons_ratio': 0.3, "
      "'density': 150, 'thickness': 1e-3}}, 'objects': [{'name': 'c', 'kind': 'shell', 'material': "
      "'m', 'mesh': {'shape': 'grid', 'size': [1,1], 'cells': [4,4]}}], 'controls': ["
      "{'kind': 'pin', 'object': 'c', 'indices': [0, 4]}%s]}";
  int64_t newton[4];
  static const char *const control[] = {
      "", ", {'kind': 'solver', 'from': 0.03, 'position_tolerance': 1e-12}",
      ", {'kind': 'solver', 'from': 0.03, 'tolerance': 1e3}",
      ", {'kind': 'solver', 'until': 0.03, 'max_newton': 1}"};
  for (int k = 0; k < 4; k++) {
    abut_scene *s = parse_scene(quoted(scene, control[k]));
    abut_report r;
    if (k < 3) {
      take_steps(s, 3);
      newton[k] = take_steps(s, 3).newton;
    } else {
      /* one iteration is not enough, and halving does not help */
      assert_int_equal(abut_step(s, 1, &r), ABUT_STOPPED);
      assert_contains(abut_last_error(s).message, "1 Newton iterations");
      assert_true(abut_time(s) == 0);
    }
  }
  assert_true(newton[1] > newton[0]);
  assert_true(newton[2] == 3);
}

/* ---- require ---- */

#define FALLING                                                                                    \
  "'objects': [{'name': 'p', 'kind': 'spheres', 'centers': [[0,0,1], [1,0,0]], 'radii': "          \
  "[0.01, 0.01], 'density': 1}], 'controls': [{'kind': 'gravity', 'object': 'p', 'indices': [1], " \
  "'scale': 0}, {'kind': 'require', 'at': %s, 'object': 'p', 'above': [[0,1]]}]"

/* the first bead falls from 1 m and passes the second after 0.45 s */
static void require_stops_a_run_whose_vertex_is_not_above(void **state)
{
  (void)state;
  write_text("s.json", quoted("{'abut': 1, 'time': {'end': 0.5}, " FALLING "}", "0.455"));
  outcome o = program("run", "s.json", "-o", "out", NULL);
  assert_exit(o, 4);
  assert_contains(o.err, "controls[1] requires vertex 0 to be above vertex 1");
  json_t *summary = read_json("out/summary.json");
  assert_string_equal(string(summary, "status"), "stopped");
  assert_contains(string(summary, "reason"), "controls[1] requires");
  /* tested in the first state at or after 0.455 s, which is saved */
  assert_int_equal(number(summary, "steps"), 46);
  assert_contains(program("info", "out", NULL).out, "frames: 47,");
  /* resumable: the state is past the test */
  o = program("run", "s.json", "-o", "out", "--resume", NULL);
  assert_exit(o, 0);
  assert_int_equal(number(read_json("out/summary.json"), "steps"), 50);

  write_text("s.json", quoted("{'abut': 1, 'time': {'end': 0.5}, " FALLING "}", "0.44"));
  run_to_end("s.json");
}

static void require_is_against_gravity_and_tested_at_the_start_too(void **state)
{
  (void)state;
  write_text("s.json",
             quoted("{'abut': 1, 'gravity': [0,0,9.81], 'time': {'end': 0.5}, " FALLING "}", "0"));
  outcome o = program("run", "s.json", "-o", "out", NULL);
  assert_exit(o, 4);
  assert_int_equal(number(read_json("out/summary.json"), "steps"), 0);
}

/* ---- what makes no sense ---- */

static void controls_that_make_no_sense_are_refused(void **state)
{
  (void)state;
  static const refusal list[] = {
      {"controls=[{'kind': 'pin', 'object': 'cloth', 'indices': [1]}, {'kind': 'pin', 'object': "
       "'cloth', 'vertices': {'range': [0,2]}, 'from': 0.5}]",
       ABUT_BAD_FORMAT, "controls[1]", "pin vertex 1 at the same time"},
      {"controls=[{'kind': 'tie', 'object': 'cloth', 'stiffness': 1, 'pairs': [[0,0]]}]",
       ABUT_BAD_FORMAT, "controls[0].pairs[0]", "joins a vertex with itself"},
      {"controls=[{'kind': 'tie', 'object': 'cloth', 'stiffness': 1, 'pairs': [[0,1],[0,9]]}]",
       ABUT_BAD_FORMAT, "controls[0].pairs[1]", "vertex 9 of 9"},
      {"controls=[{'kind': 'tie', 'object': 'cloth', 'stiffness': 1, 'pairs': [[0,1,2]]}]",
       ABUT_BAD_FORMAT, "controls[0].pairs[0]", "pair of vertex numbers"},
      {"controls=[{'kind': 'tie', 'object': '*', 'stiffness': 1, 'pairs': [[0,1]]}]",
       ABUT_BAD_FORMAT, "controls[0].object", "one object"},
      {"controls=[{'kind': 'tie', 'object': 'cloth', 'stiffness': 1, 'pairs': [[0,1]], 'length': "
       "[[0,1]], 'length_scale': [[0,1]]}]",
       ABUT_BAD_FORMAT, "controls[0].length_scale", "not both"},
      {"controls=[{'kind': 'tie', 'object': 'cloth', 'stiffness': 1, 'pairs': [[0,1]], 'length': "
       "[[1,1],[0,2]]}]",
       ABUT_BAD_FORMAT, "controls[0].length[1]", "in order"},
      {"controls=[{'kind': 'tie', 'object': 'cloth', 'stiffness': 1, 'pairs': [[0,1]], "
       "'length_scale': [[0,'current']]}]",
       ABUT_BAD_FORMAT, "controls[0].length_scale[0]", "must be a number"},
      {"controls=[{'kind': 'tie', 'object': 'cloth', 'stiffness': 1, 'pairs': [[0,1]], 'length': "
       "0.4}]",
       ABUT_BAD_FORMAT, "controls[0].length", "list of [time, value]"},
      {"controls=[{'kind': 'require', 'object': 'cloth', 'at': 1, 'above': [[0,12]]}]",
       ABUT_BAD_FORMAT, "controls[0].above[0]", "vertex 12 of 9"},
      {"controls=[{'kind': 'drag', 'object': 'cloth', 'rate': -1}]", ABUT_BAD_FORMAT,
       "controls[0].rate", "zero or more"},
      {"controls=[{'kind': 'solver', 'tolerance': 0}]", ABUT_BAD_FORMAT, "controls[0].tolerance",
       "positive"},
  };
  assert_all_refused(list);
  /* one after the other is fine */
  base_with("controls=[{'kind': 'pin', 'object': 'cloth', 'indices': [1], 'until': 0.5}, {'kind': "
            "'pin', 'object': 'cloth', 'vertices': {'range': [0,2]}, 'from': 0.5}]",
            NULL);
}

/* a bead led through the floor and let go there: its step could not begin, and nothing said why */
static void what_was_led_through_something_and_let_go_says_so(void **state)
{
  (void)state;
  const char *led = quoted(
      "{'abut': 1, 'time': {'step': 0.01, 'end': 0.1}, 'objects': [{'name': 'b', 'kind': "
      "'spheres', 'centers': [[0,0,1]], 'radii': [0.5], 'density': 1}, {'name': 'p', 'kind': "
      "'plane'}], 'controls': [{'kind': 'pin', 'object': 'b', 'until': 0.03, 'motion': "
      "{'linear_velocity': [0,0,-100]}}]}");
  abut_scene *s = parse_scene(led);
  assert_int_equal(abut_step(s, 10, NULL), ABUT_BAD_GEOMETRY);
  assert_contains(abut_last_error(s).message, "sphere 0 of b and the plane of p");
  assert_contains(abut_last_error(s).message, "a prescribed motion led it there");
  assert_near(abut_time(s), 0.03, 1e-15);
  write_text("s.json", led);
  outcome o = program("run", "s.json", "-o", "out", NULL);
  assert_exit(o, 3);
  assert_contains(o.err, "a prescribed motion led it there");
  assert_contains(string(read_json("out/summary.json"), "reason"), "a prescribed motion led it");
}

static void a_requirement_at_equal_height_says_so(void **state)
{
  (void)state;
  abut_scene *s = parse_scene(
      quoted("{'abut': 1, 'time': {'step': 0.01, 'end': 0.1}, 'objects': [{'name': 'b', 'kind': "
             "'spheres', 'centers': [[0,0,1], [2,0,1]], 'radii': [0.5, 0.5], 'density': 1}], "
             "'controls': [{'kind': 'require', 'object': 'b', 'at': 0, 'above': [[0,1]]}]}"));
  assert_int_equal(abut_step(s, 1, NULL), ABUT_STOPPED);
  assert_contains(abut_last_error(s).message,
                  "requires vertex 0 to be above vertex 1 at 0 s; they are at the same height");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(a_control_acts_in_steps_that_start_in_its_window),
      IN_FOLDER(forces_add_momentum_per_vertex),
      IN_FOLDER(drag_slows_as_implicit_euler_says),
      IN_FOLDER(gravity_is_scaled_for_the_selected_alone),
      IN_FOLDER(a_support_is_a_spring_to_a_moving_target),
      IN_FOLDER(a_tie_draws_its_ends_to_its_length),
      IN_FOLDER(a_solver_control_changes_the_tolerance_in_its_window),
      IN_FOLDER(require_stops_a_run_whose_vertex_is_not_above),
      IN_FOLDER(require_is_against_gravity_and_tested_at_the_start_too),
      IN_FOLDER(controls_that_make_no_sense_are_refused),
      IN_FOLDER(what_was_led_through_something_and_let_go_says_so),
      IN_FOLDER(a_requirement_at_equal_height_says_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
