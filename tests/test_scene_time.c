/* Steps, frames and the values that "auto" stands for. */
#include "scene_base.h"

#include "api/handle.h"

typedef struct log_line {
  double time, dt;
} log_line;

/* runs a falling bead with these times; the lines of steps.jsonl */
static log_line *run_times(const char *times, int *count)
{
  write_text("s.json", quoted("{'abut': 1, 'time': {%s}, 'objects': [{'name': 'b', 'kind': "
                              "'spheres', 'centers': [[0,0,1]], 'radii': [0.1], 'density': 1}]}",
                              times));
  run_to_end("s.json");
  log_line *lines = keep(calloc(2000, sizeof *lines));
  *count = 0;
  for (char *line = strtok(read_text("out/steps.jsonl"), "\n"); line; line = strtok(NULL, "\n")) {
    json_t *one = json_loads(line, 0, NULL);
    assert_true(*count < 2000);
    assert_int_equal(number(one, "step"), *count + 1);
    lines[*count] = (log_line){number(one, "time"), number(one, "dt")};
    (*count)++;
    json_decref(one);
  }
  return lines;
}

/* times of the frames in the trajectory of out/ */
static double *frame_times(int *count)
{
  abut_context ctx;
  abut_context_init(&ctx, NULL, 1);
  abut_trajectory *t;
  assert_ok(abut_trajectory_open(&ctx, at("out/trajectory.vtkhdf"), false, &t));
  *count = (int)abut_trajectory_frames(t);
  assert_int_equal(abut_trajectory_room(t), *count);
  double *time = keep(calloc((size_t)*count + 1, sizeof *time));
  for (int k = 0; k < *count; k++)
    assert_ok(abut_trajectory_read(&ctx, t, k, &time[k], NULL, NULL, NULL));
  abut_trajectory_close(&ctx, t);
  abut_context_free(&ctx);
  return time;
}

static void step_n_ends_at_n_times_the_step_and_is_never_accumulated(void **state)
{
  (void)state;
  int n, frames;
  const log_line *line = run_times("'step': 0.1, 'end': 100", &n);
  assert_int_equal(n, 1000);
  for (int k = 0; k < n; k++) assert_true(line[k].time == (k + 1) * 0.1 || k == n - 1);
  assert_true(line[n - 1].time == 100);
  const double *time = frame_times(&frames);
  assert_int_equal(frames, n + 1);
  assert_true(time[0] == 0);
  for (int k = 0; k < n; k++) assert_true(time[k + 1] == line[k].time);
}

static void the_number_of_steps_is_rounded_and_the_last_reaches_the_end(void **state)
{
  (void)state;
  static const struct {
    const char *times;
    int steps;
    double end, last;
  } run[] = {{"'step': 0.01, 'end': 0.035", 4, 0.035, 0.005},
             {"'step': 0.01, 'end': 0.034", 3, 0.034, 0.014},
             {"'step': 0.01, 'end': 0.03", 3, 0.03, 0.01},
             {"'step': 0.01, 'end': 0.004", 1, 0.004, 0.004},
             {"'step': 0.01, 'end': 0.015", 2, 0.015, 0.005},
             {"'step': 1, 'end': 0.25", 1, 0.25, 0.25},
             {"'end': 0.05", 5, 0.05, 0.01}};
  for (size_t k = 0; k < sizeof run / sizeof *run; k++) {
    int n, frames;
    const log_line *line = run_times(run[k].times, &n);
    assert_int_equal(n, run[k].steps);
    assert_true(line[n - 1].time == run[k].end);
    assert_near(line[n - 1].dt, run[k].last, 1e-15);
    frame_times(&frames);
    assert_int_equal(frames, n + 1);
  }
}

/* frames are states, at exact multiples of 1/rate; what lies between is cut, not blended */
static void frames_are_cut_at_multiples_of_the_frame_time(void **state)
{
  (void)state;
  int n, frames;
  const log_line *line = run_times("'step': 0.01, 'end': 0.2, 'frame_rate': 24", &n);
  const double *time = frame_times(&frames);
  assert_int_equal(frames, 5);
  for (int k = 0; k < frames; k++) assert_true(time[k] == k / 24.0);
  assert_int_equal(n, 20 + 4);
  assert_true(line[n - 1].time == 0.2);
  int cuts = 0;
  for (int k = 0; k < n; k++) {
    double begin = k ? line[k - 1].time : 0;
    assert_near(line[k].dt, line[k].time - begin, 1e-17);
    bool whole = fabs(line[k].time / 0.01 - round(line[k].time / 0.01)) < 1e-9;
    cuts += !whole;
    if (whole) assert_near(line[k].time, 0.01 * round(line[k].time / 0.01), 1e-16);
  }
  assert_int_equal(cuts, 4);
}

static void frame_rates_that_fit_or_exceed_the_steps_leave_no_slivers(void **state)
{
  (void)state;
  static const struct {
    const char *times;
    int steps, frames;
  } run[] = {{"'step': 0.01, 'end': 0.3, 'frame_rate': 100", 30, 31},
             {"'step': 0.01, 'end': 0.3, 'frame_rate': 50", 30, 16},
             {"'step': 0.01, 'end': 0.03, 'frame_rate': 200", 6, 7},
             {"'step': 0.01, 'end': 0.3, 'frame_rate': 30", 30 + 6, 10},
             {"'step': 0.01, 'end': 0.3, 'frame_rate': 0.5", 30, 1},
             {"'step': 0.1, 'end': 30, 'frame_rate': 10", 300, 301},
             {"'step': 0.01, 'end': 0.3, 'frame_rate': 99.9999999", 30, 30},
             {"'step': 0.03336666667, 'end': 3, 'frame_rate': 29.97002997", 90, 90}};
  for (size_t k = 0; k < sizeof run / sizeof *run; k++) {
    int n, frames;
    const log_line *line = run_times(run[k].times, &n);
    frame_times(&frames);
    assert_int_equal(n, run[k].steps);
    assert_int_equal(frames, run[k].frames);
    for (int j = 0; j < n; j++) assert_true(line[j].dt > 1e-4);
  }
}

/* an obstacle that turns too far has its step halved: still one step, one line, one frame */
static void halved_steps_count_once(void **state)
{
  (void)state;
  write_text("s.json",
             quoted("{'abut': 1, 'time': {'step': 0.1, 'end': 0.3}, 'objects': [{'name': 'o', "
                    "'kind': 'obstacle', 'mesh': {'shape': 'grid', 'size': [1,1], 'cells': [1,1]}, "
                    "'motion': {'angular_velocity': [0,0,20]}}]}"));
  run_to_end("s.json");
  int frames, lines = 0;
  frame_times(&frames);
  assert_int_equal(frames, 4);
  for (char *line = strtok(read_text("out/steps.jsonl"), "\n"); line; line = strtok(NULL, "\n")) {
    assert_int_equal(number(tree_of(line), "halvings"), 2);
    lines++;
  }
  assert_int_equal(lines, 3);
}

/* The quotient of time and step is off by one from ten million steps on; the run ended there. */
static void long_runs_do_not_lose_count(void **state)
{
  (void)state;
  static const double step[] = {0.01, 1e-3, 1.0 / 3000, 0.0123};
  for (int k = 0; k < 4; k++) {
    abut_scene *s = parse_scene(quoted("{'abut': 1, 'time': {'step': %.17g, 'end': 1e9}, "
                                       "'objects': [{'name': 'p', 'kind': 'plane'}]}",
                                       step[k]));
    take_steps(s, 0);
    for (int64_t n = 1000003; n < 90000000; n += 2741) {
      s->sim.state.time = (double)n * step[k];
      assert_true(abut_sim_next_time(&s->sim) == (double)(n + 1) * step[k]);
    }
  }
}

/* room is made for the frames that will come, not for all that the scene could have */
static void endless_scenes_can_be_run_for_a_while(void **state)
{
  (void)state;
  static const char *const end[] = {"time.end=1e9", "time.end=1e300", "time.step=1e-15"};
  write_text("s.json", quoted("{'abut': 1, 'objects': [{'name': 'b', 'kind': 'spheres', 'centers': "
                              "[[0,0,1]], 'radii': [0.1], 'density': 1}]}"));
  for (int k = 0; k < 3; k++) {
    assert_exit(program("run", "s.json", "-o", "out", "--set", end[k], "--steps", "3", NULL), 0);
    assert_contains(program("info", "out", NULL).out, "frames: 4,");
    assert_exit(
        program("run", "s.json", "-o", "out", "--set", end[k], "--steps", "5", "--resume", NULL),
        0);
    assert_contains(program("info", "out", NULL).out, "frames: 6,");
  }
  outcome o = program("run", "s.json", "-o", "new", "--set", "time.end=1e300", NULL);
  assert_exit(o, 2);
  assert_contains(o.err, "time.end: the run would have 1e+302 frames");
  assert_exit(program("info", "s.json", NULL), 0);
}

/* ---- auto ---- */

static void auto_values_follow_the_diagonal_of_what_moves(void **state)
{
  (void)state;
  /* a bead of radius 1 at (0,0,0) and one of radius 2 at (10,0,0): a box of 13 x 4 x 4 */
  abut_scene *s = parse_scene(
      quoted("{'abut': 1, 'objects': [{'name': 'b', 'kind': 'spheres', 'centers': [[0,0,0], "
             "[10,0,0]], 'radii': [1,2], 'density': 1}, {'name': 'o', 'kind': 'obstacle', 'mesh': "
             "{'shape': 'box', 'size': [99,99,1], 'cells': [1,1,1]}, "
             "'transform': {'translate': [0,0,-50]}}]}"));
  take_steps(s, 0);
  double length = sqrt(13 * 13 + 16 + 16);
  const abut_model *m = &s->sim.model;
  assert_close(m->system.length, length, 1e-15);
  assert_close(m->surface.dhat, 1e-3 * length, 1e-15);
  assert_close(m->options.tolerance, 1e-2 * length, 1e-15);
  assert_close(m->options.friction_velocity, 1e-3 * length, 1e-15);
  assert_true(m->options.stiffness == 0);
  assert_true(m->surface.gap == 0);
  /* shells: their vertices */
  s = parse_scene(quoted("{'abut': 1, 'materials': {'m': {'model': 'stvk', 'youngs_modulus': 1, "
                         "'poissons_ratio': 0, 'density': 1, 'thickness': 1}}, 'objects': [{"
                         "'name': 'c', 'kind': 'shell', 'mesh': {'shape': 'grid', 'size': [3,4], "
                         "'cells': [1,1]}, 'material': 'm'}]}"));
  take_steps(s, 0);
  assert_close(s->sim.model.system.length, 5.0, 1e-15);
}

static void without_anything_that_moves_the_obstacles_count_else_one_metre(void **state)
{
  (void)state;
  abut_scene *s =
      parse_scene(quoted("{'abut': 1, 'objects': [{'name': 'o', 'kind': 'obstacle', 'mesh': "
                         "{'shape': 'box', 'size': [1,2,2], 'cells': [1,1,1]}}, "
                         "{'name': 'p', 'kind': 'plane', 'point': [0,0,-9]}]}"));
  take_steps(s, 0);
  assert_close(s->sim.model.system.length, 3.0, 1e-15);
  s = parse_scene(quoted("{'abut': 1, 'objects': [{'name': 'p', 'kind': 'plane'}]}"));
  take_steps(s, 0);
  assert_true(s->sim.model.system.length == 1);
  assert_true(s->sim.model.surface.dhat == 1e-3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(step_n_ends_at_n_times_the_step_and_is_never_accumulated),
      IN_FOLDER(the_number_of_steps_is_rounded_and_the_last_reaches_the_end),
      IN_FOLDER(frames_are_cut_at_multiples_of_the_frame_time),
      IN_FOLDER(frame_rates_that_fit_or_exceed_the_steps_leave_no_slivers),
      IN_FOLDER(halved_steps_count_once),
      IN_FOLDER(long_runs_do_not_lose_count),
      IN_FOLDER(endless_scenes_can_be_run_for_a_while),
      IN_FOLDER(auto_values_follow_the_diagonal_of_what_moves),
      IN_FOLDER(without_anything_that_moves_the_obstacles_count_else_one_metre),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
