/* Prescribed motions as functions of time: keys, turns, ease, blend, positions, polar, and what
   "relative" means when a pin begins late. */
#include "physics.h"

typedef vec3 place_fn(vec3 start, double t);

/* largest distance of any vertex of "led" from its place, over the steps to the end */
static double follow(const char *kind, const char *motion, int steps, place_fn *place)
{
  bool pin = strcmp(kind, "pin") == 0;
  char object[256], controls[1024] = "", obstacle[1024] = "";
  if (pin)
    snprintf(controls, sizeof controls,
             "'controls': [{'kind': 'pin', 'object': 'led', 'motion': {%s}}],", motion);
  else
    snprintf(obstacle, sizeof obstacle, ", 'motion': {%s}", motion);
  snprintf(object, sizeof object, "'kind': '%s'%s", pin ? "shell" : "obstacle",
           pin ? ", 'material': 'm'" : "");
  physics p = physics_open(
      "{'abut': 1, 'time': {'step': 0.05, 'end': 9}, 'contact': {'self_contact': false}, "
      "'materials':"
      "{'m': {'model': 'stvk', 'youngs_modulus': 1e4, 'poissons_ratio': 0.3, 'density': 100,"
      " 'thickness': 1e-3}}, %s 'objects': [{'name': 'led', %s, 'mesh': {'shape': 'grid',"
      " 'size': [0.4, 0.2], 'cells': [1, 1]}, 'transform': {'translate': [1, 0, 0]}%s},"
      "{'name': 'ball', 'kind': 'spheres', 'centers': [[0, 0, -5]], 'radii': [0.1], 'density': "
      "100}]}",
      controls, object, obstacle);
  vec3 start[4];
  for (int i = 0; i < 4; i++) start[i] = physics_x(&p, "led", i);
  double most = 0;
  for (int n = 0; n < steps; n++) {
    physics_step(&p);
    for (int i = 0; i < 4; i++)
      most = fmax(most, v3_norm(v3_sub(physics_x(&p, "led", i), place(start[i], p.r.time))));
  }
  physics_close(&p);
  return most;
}

static vec3 about(vec3 hub, vec3 axis, double degrees, vec3 x)
{
  return v3_add(m3_apply(m3_rotation(v3_unit(axis), degrees * K_PI / 180), v3_sub(x, hub)), hub);
}

/* how far along from a to b, 0 before and 1 after */
static double share(double t, double a, double b)
{
  double u = (t - a) / (b - a);
  return u < 0 ? 0 : u > 1 ? 1 : u;
}

static double smooth(double u)
{
  return u * u * (3 - 2 * u);
}

/* ---- the motions and where they lead ---- */

static const char linear[] = "'keys': [{'t': 0.2, 'translate': [0, 0, 0]}, {'t': 0.6, 'translate':"
                             "[0.4, 0, 0]}, {'t': 1, 'translate': [0.4, 0.2, -0.1]}]";
static vec3 linear_place(vec3 x, double t)
{
  double u = share(t, 0.2, 0.6), w = share(t, 0.6, 1);
  return v3_add(x, v3(0.4 * u, 0.2 * w, -0.1 * w));
}

static const char eased[] =
    "'keys': [{'t': 0, 'ease': 'smooth'}, {'t': 0.6, 'translate': [0, 0, 1],"
    "'ease': 'linear'}, {'t': 1, 'translate': [0, 0, 0]}]";
static vec3 eased_place(vec3 x, double t)
{
  return v3_add(x, v3(0, 0, smooth(share(t, 0, 0.6)) - share(t, 0.6, 1)));
}

/* 170 and -150 degrees are 40 apart, by the shortest arc */
static const char turning[] =
    "'center': [0.5, 0.1, 0], 'keys': [{'t': 0}, {'t': 0.5, 'rotate': [[0, 0, 1], 170]},"
    "{'t': 1, 'rotate': [[0, 0, 1], -150], 'translate': [0, 0, 0.3]}]";
static vec3 turning_place(vec3 x, double t)
{
  vec3 y = about(v3(0.5, 0.1, 0), v3(0, 0, 1), 170 * share(t, 0, 0.5) + 40 * share(t, 0.5, 1), x);
  return v3_add(y, v3(0, 0, 0.3 * share(t, 0.5, 1)));
}

static vec3 wrong_way_place(vec3 x, double t)
{
  vec3 y = about(v3(0.5, 0.1, 0), v3(0, 0, 1), 170 * share(t, 0, 0.5) - 320 * share(t, 0.5, 1), x);
  return v3_add(y, v3(0, 0, 0.3 * share(t, 0.5, 1)));
}

/* From a quarter turn about x to one about y: a third of a turn about a diagonal. What the first
   key says is where the motion stands at the start, and is undone. */
static const char tilting[] =
    "'keys': [{'t': 0, 'rotate': [[1, 0, 0], 90], 'translate': [0, 0, 0.5]},"
    "{'t': 1, 'rotate': [[0, 1, 0], 90]}]";
static vec3 tilting_place(vec3 x, double t)
{
  double u = share(t, 0, 1);
  vec3 y = about(v3(0, 0, 0), v3(-1, 1, 1), 120 * u, v3_sub(x, v3(0, 0, 0.5)));
  return v3_add(y, v3(0, 0, 0.5 * (1 - u)));
}

static const char spinning[] = "'center': [1, 0, 0], 'keys': [{'t': 0}, {'t': 2, 'rotate':"
                               "[[0, 1, 0], 90], 'turns': 1.25}]";
static vec3 spinning_place(vec3 x, double t)
{
  return about(v3(1, 0, 0), v3(0, 1, 0), 450 * share(t, 0, 2), x);
}

static const char steady[] = "'linear_velocity': [0, 0, 0.5], 'angular_velocity': [2, 0, 1],"
                             "'center': [1, 1, 0]";
static vec3 steady_place(vec3 x, double t)
{
  vec3 y = about(v3(1, 1, 0), v3(2, 0, 1), sqrt(5) * t * 180 / K_PI, x);
  return v3_add(y, v3(0, 0, 0.5 * t));
}

static const char blended[] = "'blend': 0.4, 'keys': [{'t': 0, 'translate': [0, 0, 0]}, {'t': 1,"
                              "'translate': [0, 0, 1]}]";
static vec3 blended_place(vec3 x, double t)
{
  return v3_add(x, v3(0, 0, smooth(share(t, 0, 0.4)) * share(t, 0, 1)));
}

/* absolute, with null for a vertex's own coordinate, and "current" */
static const char listed[] =
    "'keys': [{'t': 0, 'positions': 'current'}, {'t': 0.5, 'positions': [[0.8, -0.1, 0.2],"
    "[1.2, -0.1, null], [null, 0.3, 0], [1.2, null, null]]}, {'t': 1, 'positions': 'current'}]";
static vec3 listed_place(vec3 x, double t)
{
  vec3 y = x;
  if (x.x < 1 && x.y < 0) y = v3(0.8, -0.1, 0.2);
  if (x.x > 1 && x.y < 0) y = v3(1.2, -0.1, x.z);
  if (x.x < 1 && x.y > 0) y = v3(x.x, 0.3, 0);
  if (x.x > 1 && x.y > 0) y = v3(1.2, x.y, x.z);
  double u = share(t, 0, 0.5) - share(t, 0.5, 1);
  return v3_add(v3_scale(x, 1 - u), v3_scale(y, u));
}

/* radius, degrees and height about an axis along z through (1, 0) */
static const char polar[] =
    "'polar': {'center': [1, 0, 0], 'axis': [0, 0, 1]}, 'keys': [{'t': 0, 'positions': 'current'},"
    "{'t': 1, 'positions': [[0.5, 190, 0.2], [0.5, 350, null], [null, 150, 0.1], [0.6, null, 0]]}]";
static vec3 polar_place(vec3 x, double t)
{
  double r = hypot(x.x - 1, x.y), a = atan2(x.y, x.x - 1) * 180 / K_PI, u = share(t, 0, 1);
  double r1 = r, a1 = a, h1 = 0;
  if (x.x < 1 && x.y < 0) r1 = 0.5, a1 = 190 - 360, h1 = 0.2; /* from -153 the short way */
  if (x.x > 1 && x.y < 0) r1 = 0.5, a1 = 350 - 360;           /* from -27 */
  if (x.x < 1 && x.y > 0) a1 = 150, h1 = 0.1;                 /* from 153 */
  if (x.x > 1 && x.y > 0) r1 = 0.6;
  r += u * (r1 - r), a += u * (a1 - a);
  return v3(1 + r * cos(a * K_PI / 180), r * sin(a * K_PI / 180), u * h1);
}

static void motions_lead_where_their_keys_say(void **state)
{
  (void)state;
  static const struct {
    const char *motion;
    place_fn *place;
  } all[] = {{linear, linear_place},     {eased, eased_place},   {turning, turning_place},
             {spinning, spinning_place}, {steady, steady_place}, {blended, blended_place},
             {listed, listed_place},     {polar, polar_place},   {tilting, tilting_place}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    for (int pin = 0; pin < 2; pin++) {
      double miss = follow(pin ? "pin" : "obstacle", all[k].motion, 45, all[k].place);
      if (!(miss < 1e-13)) print_error("%s %d misses by %g\n", all[k].motion, pin, miss);
      assert_below(miss, 1e-13);
    }
}

/* the check tells motions apart that differ a little, or by the way around */
static void other_places_are_told_apart(void **state)
{
  (void)state;
  assert_true(follow("pin", eased, 20, linear_place) > 0.1);
  assert_true(follow("obstacle", turning, 20, wrong_way_place) > 0.1);
  assert_true(follow("pin", blended, 20, eased_place) > 0.1);
}

/* ---- pins that begin and end ---- */

/* A cloth falls until 0.2 s, is then taken by a pin whose motion is under way and led by what is
   left of that motion, is let go at 0.5 s and flies on with the speed of the pin. */
static void a_late_pin_moves_relative_to_where_it_took_hold(void **state)
{
  (void)state;
  physics p = physics_open(
      "{'abut': 1, 'time': {'step': 0.01, 'end': 9}, 'materials': {'m': {'model': 'stvk',"
      " 'youngs_modulus': 1e4, 'poissons_ratio': 0.3, 'density': 100, 'thickness': 1e-3}},"
      "'objects': [{'name': 'cloth', 'kind': 'shell', 'material': 'm', 'mesh': {'shape': 'grid',"
      " 'size': [0.4, 0.2], 'cells': [2, 1]}}], 'controls': [{'kind': 'pin', 'object': 'cloth',"
      " 'from': 0.2, 'until': 0.5, 'motion': {'center': [0, 0, 1], 'keys': [{'t': 0}, {'t': 1,"
      " 'translate': [1, 0, 2], 'rotate': [[0, 0, 1], 30]}]}}]}");
  physics_steps(&p, 20);
  vec3 taken[6];
  for (int i = 0; i < 6; i++) taken[i] = physics_x(&p, "cloth", i);
  assert_near(taken[0].z, -9.81 * 1e-4 * 0.5 * 20 * 21, 1e-12); /* it fell until then */
  for (int n = 21; n <= 50; n++) {
    physics_step(&p);
    for (int i = 0; i < 6; i++) {
      /* undo motion(0.2), apply motion(t) */
      vec3 x = v3_sub(taken[i], v3(0.2, 0, 0.4));
      x = about(v3(0, 0, 1), v3(0, 0, 1), 30 * (p.r.time - 0.2), x);
      x = v3_add(x, v3(p.r.time, 0, 2 * p.r.time));
      assert_below(v3_norm(v3_sub(physics_x(&p, "cloth", i), x)), 1e-13);
    }
  }
  assert_near(p.r.time, 0.5, 1e-15);
  vec3 speed = physics_velocity(&p, "cloth"), at = physics_center(&p, "cloth");
  assert_near(speed.z, 2, 1e-9);
  physics_steps(&p, 10);
  vec3 flown = v3_madd(at, speed, 0.1);
  flown.z -= 9.81 * 1e-4 * 0.5 * 10 * 11;
  assert_below(v3_norm(v3_sub(physics_center(&p, "cloth"), flown)), 1e-9);
  physics_close(&p);
}

/* a control acts in steps that start in [from, until), to a billionth of a step */
static void windows_are_half_open(void **state)
{
  (void)state;
  physics p = physics_open(
      "{'abut': 1, 'time': {'step': 0.1, 'end': 9}, 'objects': [{'name': 'ball', 'kind': 'spheres',"
      "'centers': [[0, 0, 0]], 'radii': [0.1], 'density': 100}], 'controls': [{'kind': 'pin',"
      "'object': 'ball', 'from': 0.3, 'until': 0.7}]}");
  for (int n = 1; n <= 10; n++) {
    double before = physics_x(&p, "ball", 0).z;
    physics_step(&p);
    /* steps 4 to 7 start at 0.3, 0.4, 0.5, 0.6; 3 times 0.1 is not 0.3 in binary */
    bool held = physics_x(&p, "ball", 0).z == before;
    assert_true(held == (n >= 4 && n <= 7));
  }
  physics_close(&p);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(motions_lead_where_their_keys_say),
      cmocka_unit_test(other_places_are_told_apart),
      cmocka_unit_test(a_late_pin_moves_relative_to_where_it_took_hold),
      cmocka_unit_test(windows_are_half_open),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
