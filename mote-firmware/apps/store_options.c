#include "store_options.h"

#include <string.h>

#include "block_file.h"
#include "option_values.h"

enum { STORE_MAX = 1 << 30 };

/* Takes NAME= off a value. Without it the name is empty. */
static const char *take_name(const char *text, char name[STORE_NAME_MAX + 1])
{
    const char *end = strchr(text, '=');

    name[0] = '\0';
    return end != NULL && store_name_read(text, (size_t)(end - text), name) ? end + 1 : text;
}

/* The index of a block store; `store_count`: not given. */
static size_t find(const struct options *options, const char *name)
{
    size_t i = 0;

    while (i < options->store_count && strcmp(options->stores[i].name, name) != 0)
        i++;
    return i;
}

bool option_store(struct options *options, const char *text)
{
    char name[STORE_NAME_MAX + 1];
    const char *file = take_name(text, name);
    size_t i = find(options, name);

    if (*file == '\0')
        return option_reject("store", text, "give FILE or NAME=FILE");
    if (i == OPTIONS_STORES_MAX)
        return option_reject("store", text, "a mote has at most 4 block stores");
    if (i == options->store_count)
        options->store_count++;
    memcpy(options->stores[i].name, name, sizeof name);
    options->stores[i].file = file;
    return true;
}

/* The block store that a value is for, or the defaults. NULL after an error. */
static struct option_store *store_for(struct options *options, const char *option, const char *text,
                                      const char **value)
{
    char name[STORE_NAME_MAX + 1];
    size_t i;

    *value = take_name(text, name);
    if (name[0] == '\0')
        return &options->store_defaults;
    i = find(options, name);
    if (i < options->store_count)
        return &options->stores[i];
    (void)option_reject(option, text, "give --store NAME=FILE with this name before it");
    return NULL;
}

bool option_store_mode(struct options *options, const char *text)
{
    const char *value;
    struct option_store *store = store_for(options, "store-mode", text, &value);

    if (store == NULL)
        return false;
    if (strlen(value) != 1 || strchr("abd", *value) == NULL)
        return option_reject("store-mode", text,
                             "give a, b or d (b acts as c for other requesters than the assumed)");
    store->mode = *value;
    return true;
}

bool option_store_size(struct options *options, const char *text)
{
    const char *value;
    struct option_store *store = store_for(options, "store-size", text, &value);
    uint64_t octets = 0;

    if (store == NULL ||
        !option_number("store-size", value, 2 * BLOCK_FILE_SEGMENT, STORE_MAX, 1, &octets))
        return false;
    store->segments = (uint32_t)(octets / BLOCK_FILE_SEGMENT);
    return true;
}

bool option_store_full(struct options *options, const char *text)
{
    const char *value;
    struct option_store *store = store_for(options, "store-full", text, &value);
    bool refuse = false;

    if (store == NULL || !option_choice("store-full", value, "overwrite", "refuse", &refuse))
        return false;
    store->full = refuse ? 'r' : 'o';
    return true;
}

/* The block store that SENSOR=NAME names; NULL: none. */
static const char *name_of(const char *keep, size_t *sensor)
{
    const char *end = strrchr(keep, '=');

    *sensor = end == NULL ? 0 : (size_t)(end - keep);
    return *sensor == 0 ? NULL : end + 1;
}

bool option_stores_complete(struct options *options)
{
    const struct option_store *defaults = &options->store_defaults;
    size_t sensor;

    for (size_t i = 0; i < options->store_count; i++) {
        struct option_store *store = &options->stores[i];

        store->mode = store->mode != '\0' ? store->mode : defaults->mode;
        store->full = store->full != '\0' ? store->full : defaults->full;
        store->segments = store->segments != 0 ? store->segments : defaults->segments;
    }
    for (size_t i = 0; i < options->keep_count; i++) {
        const char *name = name_of(options->keeps[i], &sensor);

        if (name == NULL || *name == '\0' || find(options, name) == options->store_count)
            return option_reject("keep", options->keeps[i],
                                 "give SENSOR=NAME, and --store NAME=FILE with this name");
    }
    return true;
}

size_t option_store_of(const struct options *options, const char *sensor)
{
    for (size_t i = 0; i < options->keep_count; i++) {
        size_t len;
        const char *name = name_of(options->keeps[i], &len);

        if (name != NULL && strlen(sensor) == len && memcmp(options->keeps[i], sensor, len) == 0)
            return find(options, name);
    }
    return find(options, "");
}
