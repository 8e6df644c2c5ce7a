/* test_mesh_files.h: one small mesh in every form of MSH that is read. */
#ifndef TEST_MESH_FILES_H
#define TEST_MESH_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* --- writing binary files --- */

typedef struct file {
  char data[4096];
  int64_t size;
  bool foreign; /* write the other byte order */
  bool narrow;  /* counts and tags of 4 bytes */
} file;

static inline void put(file *f, const void *value, size_t size)
{
  const char *from = value;
  for (size_t i = 0; i < size; i++) f->data[f->size++] = from[f->foreign ? size - 1 - i : i];
}

static inline void put_text(file *f, const char *text)
{
  memcpy(f->data + f->size, text, strlen(text));
  f->size += (int64_t)strlen(text);
}

static inline void put_int(file *f, int32_t value)
{
  put(f, &value, sizeof value);
}

static inline void put_size(file *f, int64_t value)
{
  if (f->narrow)
    put_int(f, (int32_t)value);
  else
    put(f, &value, sizeof value);
}

static inline void put_place(file *f, double x, double y, double z)
{
  put(f, &x, 8);
  put(f, &y, 8);
  put(f, &z, 8);
}

/* --- case C11: a tetrahedron in several blocks with sparse tags, and one triangle --- */

static const double place[4][3] = {{0, 0, 0}, {0.2, 0, 0}, {0, 0.3, 0}, {0, 0, 0.5}};
static const int tag[4] = {10, 20, 30, 70};

#define HEAD_41 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES_41                                                                                   \
  "$Nodes\n2 4 10 70\n2 1 0 2\n10\n20\n0 0 0\n0.2 0 0\n3 1 0 2\n30\n70\n0 0.3 0\n0 0 0.5\n"        \
  "$EndNodes\n"
#define ELEMENTS_41                                                                                \
  "$Elements\n2 2 1 9\n2 1 2 1\n1 10 20 30\n3 1 4 1\n9 10 20 30 70\n$EndElements\n"
#define NAMES "$PhysicalNames\n2\n2 5 \"my wall\"\n3 6 \"body\"\n$EndPhysicalNames\n"
#define ENTITIES                                                                                   \
  "$Entities\n0 0 1 1\n1 0 0 0 0.2 0.3 0 1 -5 0\n1 0 0 0 0.2 0.3 0.5 1 6 1 1\n$EndEntities\n"
#define FILE_22                                                                                    \
  "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n10 0 0 0\n20 0.2 0 0\n30 0 0.3 0\n70 0 0 "     \
  "0.5\n$EndNodes\n$Elements\n2\n1 2 2 5 1 10 20 30\n9 4 2 6 1 10 20 30 70\n$EndElements\n"

static inline file text_file(const char *text)
{
  file f = {{0}, 0, false, false};
  put_text(&f, text);
  return f;
}

static inline file binary_22(bool foreign)
{
  file f = {{0}, 0, foreign, false};
  put_text(&f, "$MeshFormat\n2.2 1 8\n");
  put_int(&f, 1);
  put_text(&f, "\n$EndMeshFormat\n$Nodes\n4\n");
  for (int i = 0; i < 4; i++) {
    put_int(&f, tag[i]);
    put_place(&f, place[i][0], place[i][1], place[i][2]);
  }
  put_text(&f, "\n$EndNodes\n$Elements\n2\n");
  for (int e = 0; e < 2; e++) {
    const int header[] = {e ? 4 : 2, 1, 2, e ? 9 : 1, e ? 6 : 5, 1};
    for (int i = 0; i < 6; i++) put_int(&f, header[i]);
    for (int i = 0; i < 3 + e; i++) put_int(&f, tag[i]);
  }
  put_text(&f, "\n$EndElements\n");
  return f;
}

static inline file binary_41(bool foreign, bool names, bool narrow)
{
  file f = {{0}, 0, foreign, narrow};
  put_text(&f, narrow ? "$MeshFormat\n4.1 1 4\n" : "$MeshFormat\n4.1 1 8\n");
  put_int(&f, 1);
  put_text(&f, "\n$EndMeshFormat\n");
  if (names) {
    put_text(&f, NAMES "$Entities\n");
    for (int i = 0; i < 4; i++) put_size(&f, i >= 2);
    for (int i = 0; i < 2; i++) { /* a surface and a volume */
      put_int(&f, 1);
      put_place(&f, 0, 0, 0);
      put_place(&f, 0.2, 0.3, 0.5);
      put_size(&f, 1);
      put_int(&f, i ? 6 : -5);
      put_size(&f, i);
      if (i) put_int(&f, 1);
    }
    put_text(&f, "\n$EndEntities\n");
  }
  put_text(&f, "$Nodes\n");
  const int64_t nodes[] = {2, 4, 10, 70}, elements[] = {2, 2, 1, 9};
  for (int i = 0; i < 4; i++) put_size(&f, nodes[i]);
  for (int b = 0; b < 2; b++) {
    put_int(&f, 2 + b);
    put_int(&f, 1);
    put_int(&f, 0);
    put_size(&f, 2);
    for (int i = 2 * b; i < 2 * b + 2; i++) put_size(&f, tag[i]);
    for (int i = 2 * b; i < 2 * b + 2; i++) put_place(&f, place[i][0], place[i][1], place[i][2]);
  }
  put_text(&f, "\n$EndNodes\n$Elements\n");
  for (int i = 0; i < 4; i++) put_size(&f, elements[i]);
  for (int e = 0; e < 2; e++) {
    put_int(&f, 2 + e);
    put_int(&f, 1);
    put_int(&f, e ? 4 : 2);
    put_size(&f, 1);
    put_size(&f, e ? 9 : 1);
    for (int i = 0; i < 3 + e; i++) put_size(&f, tag[i]);
  }
  put_text(&f, "\n$EndElements\n");
  return f;
}

#endif
