/* fault_write.c: the elements of faults as a small OBJ mesh. */
#include "base/file.h"
#include "io/info.h"

static abut_status add_element(abut_context *ctx, const abut_fault_element *e, int *vertices,
                               abut_text *out)
{
  for (int k = 0; k < e->points; k++) {
    const double c[3] = {e->point[k].x, e->point[k].y, e->point[k].z};
    for (int i = 0; i < 3; i++) {
      ABUT_TRY(abut_text_add(ctx, out, i == 0 ? "v " : " "));
      ABUT_TRY(abut_text_add_double(ctx, out, c[i]));
    }
    ABUT_TRY(abut_text_add(ctx, out, "\n"));
  }
  int a = *vertices + 1, b = a + 1, c = a + 2, d = a + 3;
  *vertices += e->points;
  switch (e->points) {
  case 1: return abut_text_add(ctx, out, "p %d\n", a);
  case 2: return abut_text_add(ctx, out, "l %d %d\n", a, b);
  case 3: return abut_text_add(ctx, out, "f %d %d %d\n", a, b, c);
  case 4:
    return abut_text_add(ctx, out, "f %d %d %d\nf %d %d %d\nf %d %d %d\nf %d %d %d\n", a, c, b, a,
                         b, d, b, c, d, a, d, c);
  default: return ABUT_OK;
  }
}

static abut_status print_faults(abut_context *ctx, const abut_faults *f, abut_text *out)
{
  int vertices = 0;
  ABUT_TRY(abut_text_add(ctx, out, "# %lld faults found by abut check\n", (long long)f->count));
  for (int64_t i = 0; i < f->count; i++) {
    ABUT_TRY(abut_text_add(ctx, out, "# %s\ng %s_%lld\n", f->item[i].message,
                           abut_fault_name(f->item[i].kind), (long long)i));
    for (int k = 0; k < 2; k++)
      if (f->item[i].element[k].kind)
        ABUT_TRY(add_element(ctx, &f->item[i].element[k], &vertices, out));
  }
  return ABUT_OK;
}

abut_status abut_faults_write_obj(abut_context *ctx, const abut_faults *f, const char *path)
{
  abut_text text = {0};
  abut_status status = print_faults(ctx, f, &text);
  if (status == ABUT_OK) status = abut_file_write(ctx, path, text.data, text.length);
  abut_text_free(ctx, &text);
  return status;
}
