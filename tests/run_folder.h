/* run_folder.h: a run worth interrupting, and whether what it left behind is whole. */
#ifndef ABUT_TESTS_RUN_FOLDER_H
#define ABUT_TESTS_RUN_FOLDER_H

#include "program.h"

#include "base/memory.h"
#include "io/trajectory.h"

/* a cloth falls on a ball with friction: contacts, history, steps of 10 ms */
static inline void write_scene(const char *time, const char *more)
{
  write_text("s.json",
             quoted("{'abut': 1, 'time': {'step': 0.01, %s}, 'contact': {'dhat': 5e-3, 'friction': "
                    "0.3}, 'materials': {'m': {'model': 'stvk', 'youngs_modulus': 2e4, "
                    "'poissons_ratio': 0.3, 'density': 300, 'thickness': 1e-3, 'bending_scale': "
                    "0.2}}, 'objects': [{'name': 'cloth', 'kind': 'shell', 'material': 'm', 'mesh':"
                    " {'shape': 'grid', 'size': [1,1], 'cells': [5,5]}, 'transform': {'translate': "
                    "[0.05,0.02,0.35]}}, {'name': 'ball', 'kind': 'obstacle', 'mesh': {'shape': "
                    "'sphere', 'radius': 0.3, 'cells': 2}}], 'output': {'checkpoint_every': 4}%s}",
                    time, more));
}

/* ---- what must be whole ---- */

typedef struct track {
  abut_context ctx;
  abut_trajectory *t;
} track;

static inline bool open_track(track *k, const char *run)
{
  const char *path = at(print_text("%s/trajectory.vtkhdf", run));
  abut_context_init(&k->ctx, NULL, 1);
  k->t = NULL;
  if (access(path, F_OK) != 0) return false;
  assert_ok(abut_trajectory_open(&k->ctx, path, false, &k->t));
  return true;
}

static inline void close_track(track *k)
{
  abut_trajectory_close(&k->ctx, k->t);
  abut_context_free(&k->ctx);
}

/* every frame of run has the bits of the same frame of other; how many there are */
static inline int64_t same_frames(const char *run, const char *other)
{
  track a, b;
  int64_t frames = 0;
  bool there_is_one = open_track(&a, run);
  assert_true(open_track(&b, other));
  if (there_is_one) {
    size_t n = (size_t)abut_trajectory_layout(a.t)->points;
    assert_int_equal(abut_trajectory_layout(b.t)->points, n);
    vec3 *x = calloc(4 * n, sizeof *x);
    uint8_t *p = calloc(2 * n, 1);
    frames = abut_trajectory_frames(a.t);
    assert_true(frames <= abut_trajectory_frames(b.t));
    for (int64_t k = 0; k < frames; k++) {
      double s, t;
      assert_ok(abut_trajectory_read(&a.ctx, a.t, k, &s, x, x + n, p));
      assert_ok(abut_trajectory_read(&b.ctx, b.t, k, &t, x + 2 * n, x + 3 * n, p + n));
      assert_true(s == t);
      assert_memory_equal(x, x + 2 * n, 2 * n * sizeof *x);
      assert_memory_equal(p, p + n, n);
    }
    free(x);
    free(p);
  }
  close_track(&a);
  close_track(&b);
  return frames;
}

/* the lines of steps.jsonl count 1, 2, 3 ..; a line without wall times, which differ */
static inline int64_t whole_lines(const char *run, char **without_wall)
{
  int64_t n = 0;
  char *rest = read_text(print_text("%s/steps.jsonl", run)), *line, *all = print_text("%s", "");
  size_t size = strlen(rest);
  assert_true(size == 0 || rest[size - 1] == '\n');
  char *copy = keep(calloc(size + 1, 1)), *to = copy;
  while ((line = strsep(&rest, "\n")) && *line) {
    json_t *one = json_loads(line, 0, NULL);
    assert_non_null(one);
    assert_int_equal(json_integer_value(json_object_get(one, "step")), ++n);
    json_decref(one);
    char *wall = strstr(line, ", \"wall\"");
    assert_non_null(wall);
    to = mempcpy(to, line, (size_t)(wall - line));
    *to++ = '\n';
  }
  if (without_wall) *without_wall = size ? copy : all;
  return n;
}

static inline void assert_same_run(const char *run, const char *other)
{
  char *a, *b;
  assert_string_equal(hash_of(run), hash_of(other));
  int64_t frames = same_frames(run, other);
  assert_int_equal(same_frames(other, run), frames);
  assert_int_equal(whole_lines(run, &a), whole_lines(other, &b));
  assert_string_equal(a, b);
  assert_string_equal(string(read_json(print_text("%s/summary.json", run)), "status"), "done");
  assert_int_equal(number(read_json(print_text("%s/summary.json", run)), "newton"),
                   number(read_json(print_text("%s/summary.json", other)), "newton"));
}

static inline void undisturbed(void)
{
  assert_exit(program("run", "s.json", "-o", "whole", NULL), 0);
}

#endif
