/* Checkpoints: the state comes back bit for bit, damage is noticed, no allocation is missed. */
#include "run_folder.h"

#include "api/handle.h"
#include "base/hash.h"
#include "starve.h"

/* ---- one file ---- */

/* a scene of the folder after some steps, with contacts and friction */
static abut_scene *in_motion(const char *method, int64_t steps)
{
  write_scene("'end': 2", method);
  abut_scene *s = new_scene();
  must(s, abut_load(s, at("s.json")));
  take_steps(s, steps);
  return s;
}

static const abut_totals some_totals = {.newton = 17, .min_gap = 1.0 / 3, .frames = 21};

static void save(abut_scene *s, const char *where)
{
  assert_ok(abut_checkpoint_save(&s->ctx, at(where), abut_model_hash(&s->sim.model), &s->sim.state,
                                 &some_totals));
}

static abut_status load(abut_scene *s, const char *where, abut_totals *totals, bool *found)
{
  return abut_checkpoint_load(&s->ctx, at(where), abut_model_hash(&s->sim.model), &s->sim.state,
                              totals, found);
}

static void bring_back(const char *method)
{
  abut_scene *a = in_motion(method, 30), *b = in_motion(method, 0);
  abut_totals totals = {0};
  bool found;
  save(a, "ck");
  assert_ok(load(b, "ck", &totals, &found));
  assert_true(found);
  assert_memory_equal(&totals, &some_totals, sizeof totals);
  b->fresh = false;
  assert_true(abut_hash(b) == abut_hash(a));
  assert_true(abut_time(b) == abut_time(a));
  /* what it does not hold can be made again */
  assert_true(take_steps(a, 1).contacts > 0);
  take_steps(a, 9);
  take_steps(b, 10);
  assert_true(abut_hash(b) == abut_hash(a));
}

static void a_checkpoint_brings_the_state_back_bit_for_bit(void **state)
{
  (void)state;
  bring_back("");
  bring_back(", 'method': 'offset_ipc'");
  bring_back(", 'method': 'barrier_free'");
}

static void there_may_be_none(void **state)
{
  (void)state;
  abut_scene *s = in_motion("", 0);
  abut_totals totals;
  bool found = true;
  assert_ok(load(s, "nowhere", &totals, &found));
  assert_false(found);
  make_folder("ck");
  write_text("ck/readme.txt", "not a checkpoint");
  write_text("ck/000000000010.abut.new", "half");
  assert_ok(load(s, "ck", &totals, &found));
  assert_false(found);
  assert_ok(abut_checkpoint_any(&s->ctx, at("ck"), &found));
  assert_false(found);
}

static void the_newest_two_are_kept(void **state)
{
  (void)state;
  abut_scene *s = in_motion("", 0);
  for (int k = 0; k < 4; k++) {
    save(s, "ck");
    take_steps(s, 1);
  }
  assert_false(there("ck/000000000001.abut"));
  assert_true(there("ck/000000000002.abut") && there("ck/000000000003.abut"));
  assert_ok(abut_checkpoint_clear(&s->ctx, at("ck")));
  assert_false(there("ck/000000000003.abut"));
}

static void every_changed_byte_and_every_cut_is_noticed(void **state)
{
  (void)state;
  abut_scene *s = in_motion("", 3);
  abut_totals totals;
  save(s, "ck");
  size_t size;
  const char *name = "ck/000000000003.abut";
  char *data = read_bytes(name, &size);
  for (size_t k = 0; k < size; k += k < 400 || k > size - 40 ? 1 : 97) {
    bool found = true;
    data[k] ^= (char)(1 << k % 8);
    write_bytes(name, data, size);
    data[k] ^= (char)(1 << k % 8);
    assert_ok(load(s, "ck", &totals, &found));
    if (found) fail_msg("byte %zu of %zu was changed unnoticed", k, size);
    write_bytes(name, data, k);
    assert_ok(load(s, "ck", &totals, &found));
    assert_false(found);
  }
  assert_contains(notes, "warning: ");
  write_bytes(name, data, size);
  bool found;
  assert_ok(load(s, "ck", &totals, &found));
  assert_true(found);
}

/* a file with a right checksum whose content lies: word k set to a value */
static abut_status load_lie(abut_scene *s, size_t k, int64_t value)
{
  size_t size;
  const char *name = "ck/000000000003.abut";
  char *data = read_bytes(name, &size);
  write_bytes("good", data, size);
  if (memcmp(data + 8 * k, &value, sizeof value) == 0) return ABUT_BAD_FORMAT; /* no lie */
  memcpy(data + 8 * k, &value, sizeof value);
  uint64_t hash = abut_hash_bytes(ABUT_HASH_START, data, size - 8);
  memcpy(data + size - 8, &hash, sizeof hash);
  write_bytes(name, data, size);
  abut_totals totals;
  bool found;
  abut_error_clear(&s->ctx);
  abut_status status = load(s, "ck", &totals, &found);
  write_bytes(name, read_bytes("good", &size), size);
  return status;
}

static void checkpoints_of_other_versions_and_models_are_refused(void **state)
{
  (void)state;
  abut_scene *s = in_motion("", 3);
  save(s, "ck");
  assert_int_equal(load_lie(s, 1, 99), ABUT_BAD_FORMAT);
  assert_contains(s->ctx.error.message, "another version of the program (99");
  assert_int_equal(load_lie(s, 2, 12345), ABUT_BAD_FORMAT);
  assert_contains(s->ctx.error.message, "other meshes or materials");
  assert_string_equal(s->ctx.error.file, at("ck/000000000003.abut"));
  /* counts that cannot be */
  for (size_t k = 3; k < 3 + sizeof(abut_state_counts) / 8; k++) {
    assert_int_equal(load_lie(s, k, -1), ABUT_BAD_FORMAT);
    assert_int_equal(load_lie(s, k, INT64_MAX / 16), ABUT_BAD_FORMAT);
    assert_int_equal(load_lie(s, k, 0), ABUT_BAD_FORMAT);
  }
}

/* ---- out of memory ---- */

static abut_scene *starved;

static abut_status save_and_load(const abut_allocator *allocator)
{
  abut_context ctx;
  abut_totals totals;
  abut_state copy = {0};
  bool found;
  abut_context_init(&ctx, allocator, 1);
  abut_status status = abut_checkpoint_save(&ctx, at("ck"), 1, &starved->sim.state, &some_totals);
  if (status == ABUT_OK) status = abut_checkpoint_load(&ctx, at("ck"), 1, &copy, &totals, &found);
  abut_state_free(&ctx, &copy);
  abut_context_free(&ctx);
  return status;
}

static void no_allocation_of_a_checkpoint_is_missed(void **state)
{
  (void)state;
  starved = in_motion("", 2);
  assert_true(starve(save_and_load, 1) > 20);
}

/* ---- in a run folder ---- */

static void damage(const char *name, bool cut)
{
  size_t size;
  char *data = read_bytes(name, &size);
  data[size / 2] ^= 0x10;
  write_bytes(name, data, cut ? size / 2 : size);
}

static void a_damaged_checkpoint_gives_way_to_the_older_one(void **state)
{
  (void)state;
  write_scene("'end': 0.2", "");
  undisturbed();
  for (int k = 0; k < 4; k++) {
    assert_exit(program("run", "s.json", "-o", "out", "--steps", "14", NULL), 0);
    assert_true(there("out/checkpoint/000000000012.abut"));
    assert_false(there("out/checkpoint/000000000008.abut"));
    damage("out/checkpoint/000000000014.abut", k % 2);
    if (k >= 2) damage("out/checkpoint/000000000012.abut", k % 2);
    /* a half-written checkpoint of a later step counts for nothing */
    write_text("out/checkpoint/000000000016.abut.new", "half");
    outcome o = program("run", "s.json", "-o", "out", "--resume", NULL);
    assert_exit(o, 0);
    assert_contains(o.err, "warning: out/checkpoint/000000000014.abut: damaged");
    assert_same_run("out", "whole");
    assert_false(there("out/checkpoint/000000000016.abut.new"));
    assert_true(there("out/checkpoint/000000000016.abut"));
  }
}

static void records_lost_behind_the_programs_back_are_noticed(void **state)
{
  (void)state;
  write_scene("'end': 0.2", "");
  assert_exit(program("run", "s.json", "-o", "out", "--steps", "4", NULL), 0);
  assert_int_equal(truncate(at("out/steps.jsonl"), 100), 0);
  outcome o = program("run", "s.json", "-o", "out", "--resume", NULL);
  assert_exit(o, 2);
  assert_contains(o.err, "out/steps.jsonl: the file ends before the checkpoint");
  assert_exit(program("run", "s.json", "-o", "out", "--steps", "4", NULL), 0);
  assert_int_equal(unlink(at("out/trajectory.vtkhdf")), 0);
  o = program("run", "s.json", "-o", "out", "--resume", NULL);
  assert_exit(o, 5);
  assert_contains(o.err, "out/trajectory.vtkhdf");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      IN_FOLDER(a_checkpoint_brings_the_state_back_bit_for_bit),
      IN_FOLDER(there_may_be_none),
      IN_FOLDER(the_newest_two_are_kept),
      IN_FOLDER(every_changed_byte_and_every_cut_is_noticed),
      IN_FOLDER(checkpoints_of_other_versions_and_models_are_refused),
      IN_FOLDER(no_allocation_of_a_checkpoint_is_missed),
      IN_FOLDER(a_damaged_checkpoint_gives_way_to_the_older_one),
      IN_FOLDER(records_lost_behind_the_programs_back_are_noticed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
