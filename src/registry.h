/* registry.h: the one instance of the tables; see registry.c. */
#ifndef ABUT_REGISTRY_H
#define ABUT_REGISTRY_H

#include "io/tables.h"

extern const abut_tables abut_registry;

#endif
