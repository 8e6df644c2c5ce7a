/* Prescribed motions of obstacles, pins and supports: where every vertex must be, and which motions
   make no sense. */
#include "scene_base.h"

#include "api/handle.h"

/* an obstacle of three vertices at (1,0,0), (0,1,0), (0,0,1) with the motion, steps of 0.1 s */
static abut_scene *moved(const char *motion)
{
  write_text("p.obj", "v 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\n");
  abut_scene *s = parse_scene(quoted("{'abut': 1, 'time': {'step': 0.1, 'end': 100}, 'objects': ["
                                     "{'name': 'o', 'kind': 'obstacle', 'mesh': 'p.obj', "
                                     "'motion': {%s}}]}",
                                     motion));
  must(s, abut_step(s, 0, NULL));
  return s;
}

static void assert_vertex(abut_scene *s, const char *object, int v, double x, double y, double z)
{
  const double *at = positions(s, object) + 3 * v;
  assert_near(at[0], x, 1e-12);
  assert_near(at[1], y, 1e-12);
  assert_near(at[2], z, 1e-12);
}

/* a bead far from everything, pinned (or held) with the motion */
static abut_scene *pinned(const char *window, const char *motion)
{
  abut_scene *s = parse_scene(
      quoted("{'abut': 1, 'gravity': [0,0,0], 'time': {'step': 0.1, 'end': 100}, 'objects': ["
             "{'name': 'b', 'kind': 'spheres', 'centers': [[1,0,0], [0,2,0]], "
             "'radii': [0.1, 0.1], 'density': 1000, 'velocity': [0,0,1]}], 'controls': ["
             "{'kind': 'pin', 'object': 'b'%s, 'motion': {%s}}]}",
             window, motion));
  must(s, abut_step(s, 0, NULL));
  return s;
}

/* ---- keys ---- */

static void translations_are_linear_between_keys_and_held_outside(void **state)
{
  (void)state;
  abut_scene *s = moved("'keys': [{'t': 0.2, 'translate': [0,0,0]}, {'t': 0.6, "
                        "'translate': [4,0,-8]}]");
  take_steps(s, 1);
  assert_vertex(s, "o", 0, 1, 0, 0);
  take_steps(s, 2); /* t = 0.3 */
  assert_vertex(s, "o", 0, 2, 0, -2);
  take_steps(s, 3);
  assert_vertex(s, "o", 0, 5, 0, -8);
  take_steps(s, 3);
  assert_vertex(s, "o", 1, 4, 1, -8);
}

static void rotations_go_the_shortest_arc_about_the_centre(void **state)
{
  (void)state;
  double half = sqrt(0.5);
  abut_scene *s = moved("'center': [1,1,0], 'keys': [{'t': 0}, {'t': 1, "
                        "'rotate': [[0,0,1], 90]}]");
  take_steps(s, 5);
  assert_vertex(s, "o", 0, 1 + half, 1 - half, 0); /* (0,-1) from the centre, turned by 45 */
  take_steps(s, 5);
  assert_vertex(s, "o", 0, 2, 1, 0);
  /* 270 degrees one way are 90 the other */
  s = moved("'keys': [{'t': 0}, {'t': 1, 'rotate': [[0,0,1], 270]}]");
  take_steps(s, 5);
  assert_vertex(s, "o", 0, half, -half, 0);
  take_steps(s, 5);
  assert_vertex(s, "o", 0, 0, -1, 0);
}

static void turns_count_revolutions_since_the_previous_key(void **state)
{
  (void)state;
  abut_scene *s = moved("'keys': [{'t': 0}, {'t': 2, 'rotate': [[0,0,1], 0], 'turns': 2}, "
                        "{'t': 4, 'rotate': [[0,0,1], 0], 'turns': -1.25}]");
  take_steps(s, 5); /* half a revolution */
  assert_vertex(s, "o", 0, -1, 0, 0);
  take_steps(s, 15);
  assert_vertex(s, "o", 0, 1, 0, 0);
  take_steps(s, 20);
  assert_vertex(s, "o", 0, 0, -1, 0);
}

/* a step that turns by more than 45 degrees is cut, and the vertices stay on the circle */
static void fast_turns_follow_the_true_arc(void **state)
{
  (void)state;
  write_text("s.json",
             quoted("{'abut': 1, 'time': {'step': 0.1, 'end': 0.5}, 'objects': [{'name': 'o', "
                    "'kind': 'obstacle', 'mesh': {'shape': 'grid', 'size': [2,2], "
                    "'cells': [1,1]}, 'motion': {'angular_velocity': [0,0,31.4]}}]}"));
  run_to_end("s.json");
  json_t *first = tree_of(strtok(read_text("out/steps.jsonl"), "\n"));
  assert_int_equal(number(first, "halvings"), 2); /* 180 degrees in pieces of 45 */
  abut_scene *s = new_scene();
  must(s, abut_load(s, at("s.json")));
  for (int k = 1; k <= 5; k++) {
    take_steps(s, 1);
    double angle = 31.4 * 0.1 * k;
    assert_vertex(s, "o", 3, cos(angle) - sin(angle), sin(angle) + cos(angle), 0);
  }
}

static void steady_velocities_move_and_turn(void **state)
{
  (void)state;
  abut_scene *s = moved("'linear_velocity': [1,2,3], 'angular_velocity': [0,0,1], "
                        "'center': [0,1,0]");
  take_steps(s, 7);
  double c = cos(0.7), d = sin(0.7);
  assert_vertex(s, "o", 0, c + d + 0.7, 1 + d - c + 1.4, 2.1);
  assert_vertex(s, "o", 1, 0.7, 1 + 1.4, 2.1);
  s = moved("'linear_velocity': [0,0,-1]");
  take_steps(s, 3);
  assert_vertex(s, "o", 2, 0, 0, 0.7);
}

static void smooth_easing_and_blending_start_gently(void **state)
{
  (void)state;
  abut_scene *s = moved("'keys': [{'t': 0, 'ease': 'smooth'}, {'t': 1, 'translate': [1,0,0], "
                        "'ease': 'linear'}, {'t': 2, 'translate': [2,0,0]}]");
  take_steps(s, 3);
  assert_vertex(s, "o", 0, 1 + 0.09 * (3 - 0.6), 0, 0);
  take_steps(s, 12);
  assert_vertex(s, "o", 0, 2.5, 0, 0);
  s = moved("'linear_velocity': [1,0,0], 'blend': 0.5");
  take_steps(s, 2); /* u = 0.4: smooth(0.4) = 0.352 of the path */
  assert_vertex(s, "o", 0, 1 + 0.352 * 0.2, 0, 0);
  take_steps(s, 8);
  assert_vertex(s, "o", 0, 2, 0, 0);
}

/* ---- pins ---- */

static void a_pin_is_moved_from_where_it_was_when_it_became_active(void **state)
{
  (void)state;
  abut_scene *s = pinned(", 'from': 0.5, 'until': 1.0", "'linear_velocity': [2,0,0]");
  take_steps(s, 5); /* free flight until 0.5 s */
  assert_vertex(s, "b", 0, 1, 0, 0.5);
  take_steps(s, 1); /* motion(0.6) after undoing motion(0.5) */
  assert_vertex(s, "b", 0, 1.2, 0, 0.5);
  take_steps(s, 4);
  assert_vertex(s, "b", 0, 2, 0, 0.5);
  /* let go at 1.0 s with its velocity */
  take_steps(s, 1);
  assert_vertex(s, "b", 0, 2.2, 0, 0.5);
  /* a rotation is undone too */
  s = pinned(", 'from': 0.5", "'angular_velocity': [0,0,1], 'center': [1,0,0]");
  take_steps(s, 10);
  assert_vertex(s, "b", 0, 1, 0, 0.5);
  double c = cos(0.5), d = sin(0.5);
  assert_vertex(s, "b", 1, 1 - c - 2 * d, -d + 2 * c, 0.5);
}

static void a_pin_without_motion_holds(void **state)
{
  (void)state;
  abut_scene *s = parse_scene(
      quoted("{'abut': 1, 'time': {'step': 0.1}, 'objects': [{'name': 'b', 'kind': 'spheres', "
             "'centers': [[1,0,0]], 'radii': [0.1], 'density': 1000}], 'controls': ["
             "{'kind': 'pin', 'object': 'b'}]}"));
  take_steps(s, 10);
  const double *x = positions(s, "b");
  assert_true(x[0] == 1 && x[1] == 0 && x[2] == 0);
}

static void keys_may_list_positions_instead(void **state)
{
  (void)state;
  abut_scene *s = pinned("", "'keys': [{'t': 0, 'positions': 'current'}, {'t': 1, 'positions': "
                             "[[3,0,0], [null,2,5]]}]");
  take_steps(s, 5);
  assert_vertex(s, "b", 0, 2, 0, 0);
  assert_vertex(s, "b", 1, 0, 2, 2.5);
  take_steps(s, 6);
  assert_vertex(s, "b", 0, 3, 0, 0);
  assert_vertex(s, "b", 1, 0, 2, 5);
}

static void polar_positions_go_the_shorter_way_round(void **state)
{
  (void)state;
  /* about the z axis through (0,0,1): radius, degrees from the x axis, height */
  abut_scene *s = pinned("", "'polar': {'center': [0,0,1], 'axis': [0,0,3]}, 'keys': ["
                             "{'t': 0, 'positions': 'current'}, {'t': 1, 'positions': [[1,-170,0], "
                             "[2,170,null]]}, {'t': 2, 'positions': [[1,170,0], [4,170,-1]]}]");
  double degree = acos(-1) / 180;
  take_steps(s, 5);
  assert_vertex(s, "b", 0, cos(85 * degree), -sin(85 * degree), 0.5);
  assert_vertex(s, "b", 1, 2 * cos(130 * degree), 2 * sin(130 * degree), 0);
  take_steps(s, 10);
  assert_vertex(s, "b", 0, -1, 0, 1); /* 180 degrees, between -170 and 170 */
  assert_vertex(s, "b", 1, 3 * cos(170 * degree), 3 * sin(170 * degree), 0 - 0 * 0.5);
}

/* ---- what makes no sense ---- */

#define MOTION(m) "objects[2].motion={" m "}"

static void motions_that_contradict_themselves_are_refused(void **state)
{
  (void)state;
  static const refusal list[] = {
      {MOTION(""), ABUT_BAD_FORMAT, "objects[2].motion", "needs keys"},
      {MOTION("'keys': []"), ABUT_BAD_FORMAT, "objects[2].motion.keys", "a list of keys"},
      {MOTION("'keys': [{'t': 1}, {'t': 1}]"), ABUT_BAD_FORMAT, "objects[2].motion.keys[1]",
       "in order of time"},
      {MOTION("'keys': [{'t': 0}], 'linear_velocity': [0,0,1]"), ABUT_BAD_FORMAT,
       "objects[2].motion", "not both"},
      {MOTION("'keys': [{'t': 0, 'positions': 'current', 'translate': [0,0,1]}]"), ABUT_BAD_FORMAT,
       "objects[2].motion.keys[0]", "not both"},
      {MOTION("'keys': [{'t': 0, 'positions': 'current'}, {'t': 1}]"), ABUT_BAD_FORMAT,
       "objects[2].motion.keys[1]", "all keys of a motion have positions or none"},
      {MOTION("'keys': [{'t': 0}, {'t': 1, 'turns': 2}]"), ABUT_BAD_FORMAT,
       "objects[2].motion.keys[1]", "turns needs the axis"},
      {MOTION("'keys': [{'t': 0}, {'t': 1, 'turns': 2, 'rotate': [[0,0,1], 90]}]"), ABUT_BAD_FORMAT,
       "objects[2].motion.keys[1]", "rotate and turns disagree"},
      {MOTION("'keys': [{'t': 0, 'ease': 'soft'}]"), ABUT_BAD_FORMAT,
       "objects[2].motion.keys[0].ease", "nearest: smooth"},
      {MOTION("'keys': [{'t': 0, 'positions': 'curent'}]"), ABUT_BAD_FORMAT,
       "objects[2].motion.keys[0].positions", "\"current\""},
      {MOTION("'keys': [{'t': 0, 'positions': [[1,2]]}]"), ABUT_BAD_FORMAT,
       "objects[2].motion.keys[0].positions[0]", "[x, y, z]"},
      {MOTION("'keys': [{'t': 0, 'positions': [[1,2,3]]}]"), ABUT_BAD_FORMAT,
       "objects[2].motion.keys[0].positions", "1 positions for 8 vertices"},
      {MOTION("'keys': [{'t': 0}], 'polar': {'center': [0,0,0], 'axis': [0,0,1]}"), ABUT_BAD_FORMAT,
       "objects[2].motion", "polar needs keys with positions"},
      {MOTION("'keys': [{'t': 0, 'positions': 'current'}], 'polar': {'center': [0,0,0]}"),
       ABUT_BAD_FORMAT, "objects[2].motion.polar.axis", "missing"},
      {MOTION("'keys': [{'t': 0, 'positions': 'current'}], 'polar': {'center': [0,0,0], "
              "'axis': [0,0,0]}"),
       ABUT_BAD_FORMAT, "objects[2].motion.polar", "not zero"},
      {MOTION("'linear_velocity': [0,0,1], 'blend': -1"), ABUT_BAD_FORMAT,
       "objects[2].motion.blend", "zero or more"},
      {MOTION("'linear_velocity': [0,0,1], 'rate': 24"), ABUT_BAD_FORMAT, "objects[2].motion.rate",
       "rate"},
      {MOTION("'linear_velocity': [0,0,1], 'polar': {'center': [0,0,0], 'axis': [0,0,1]}"),
       ABUT_BAD_FORMAT, "objects[2].motion", "polar needs keys with positions"},
      {"controls=[{'kind': 'pin', 'object': 'beads', 'motion': {'keys': [{'t': 0, 'positions': "
       "[[0,0,3]]}]}}]",
       ABUT_BAD_FORMAT, "controls[0].motion", "one position per selected vertex"},
  };
  assert_all_refused(list);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(translations_are_linear_between_keys_and_held_outside),
      IN_FOLDER(rotations_go_the_shortest_arc_about_the_centre),
      IN_FOLDER(turns_count_revolutions_since_the_previous_key),
      IN_FOLDER(fast_turns_follow_the_true_arc),
      IN_FOLDER(steady_velocities_move_and_turn),
      IN_FOLDER(smooth_easing_and_blending_start_gently),
      IN_FOLDER(a_pin_is_moved_from_where_it_was_when_it_became_active),
      IN_FOLDER(a_pin_without_motion_holds),
      IN_FOLDER(keys_may_list_positions_instead),
      IN_FOLDER(polar_positions_go_the_shorter_way_round),
      IN_FOLDER(motions_that_contradict_themselves_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
