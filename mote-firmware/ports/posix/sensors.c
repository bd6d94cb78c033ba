/* Sensors of a Linux machine, and recorded values from a CSV file. */
#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "port.h"

enum { LINE_MAX_OCTETS = 512, DIGITS_MAX = 18 };

bool decimal_parse(const char *text, struct decimal *value)
{
    bool negative = *text == '-';
    bool fraction = false;
    unsigned digits = 0;

    *value = (struct decimal){0, 0};
    for (const char *c = text + (negative || *text == '+');; c++) {
        if (*c == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (*c < '0' || *c > '9')
            break;
        if (digits == DIGITS_MAX)
            return false;
        value->digits = value->digits * 10 + (*c - '0');
        value->places = (uint8_t)(value->places + fraction);
        digits++;
    }
    if (negative)
        value->digits = -value->digits;
    return digits > 0;
}

/* Reads the rest of the line of `file` that begins with `start`. */
static bool line_after(const char *file, const char *start, char *line, size_t size)
{
    FILE *in = fopen(file, "re");
    bool found = false;

    while (in != NULL && !found && fgets(line, (int)size, in) != NULL)
        found = strncmp(line, start, strlen(start)) == 0;
    if (in != NULL)
        fclose(in);
    if (found)
        memmove(line, line + strlen(start), strlen(line + strlen(start)) + 1);
    return found;
}

/* The one-minute load average per processor, to three places. */
static int load_read(void *context, struct decimal *value)
{
    const struct host_sensor *host = context;
    char line[LINE_MAX_OCTETS];
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    if (processors < 1 || !line_after(host->file, "", line, sizeof line) ||
        !decimal_parse(line, value) || value->places > 2)
        return MOTE_E_IO;
    for (; value->places < 3; value->places++)
        value->digits *= 10;
    value->digits = (value->digits + processors / 2) / processors;
    return MOTE_OK;
}

bool load_sensor(struct sensor *sensor, struct host_sensor *host, const char *root)
{
    snprintf(host->file, sizeof host->file, "%s/proc/loadavg", root);
    *sensor = (struct sensor){
        .path = "load", .type = "load", .unit = "/", .read = load_read, .context = host};
    return access(host->file, R_OK) == 0;
}

/* MemAvailable in octets. */
static int memory_read(void *context, struct decimal *value)
{
    const struct host_sensor *host = context;
    char line[LINE_MAX_OCTETS];

    if (!line_after(host->file, "MemAvailable:", line, sizeof line) ||
        !decimal_parse(line + strspn(line, " \t"), value) || value->places != 0)
        return MOTE_E_IO;
    value->digits *= 1024;
    return MOTE_OK;
}

bool memory_sensor(struct sensor *sensor, struct host_sensor *host, const char *root)
{
    snprintf(host->file, sizeof host->file, "%s/proc/meminfo", root);
    *sensor = (struct sensor){
        .path = "memory", .type = "memory", .unit = "B", .read = memory_read, .context = host};
    return access(host->file, R_OK) == 0;
}

/* Free octets of the root folder's file system for ordinary users. */
static int disk_read(void *context, struct decimal *value)
{
    const struct host_sensor *host = context;
    struct statvfs disk;

    if (statvfs(host->file, &disk) != 0)
        return MOTE_E_IO;
    *value = (struct decimal){(int64_t)(disk.f_bavail * disk.f_frsize), 0};
    return MOTE_OK;
}

bool disk_sensor(struct sensor *sensor, struct host_sensor *host, const char *root)
{
    struct decimal value;

    snprintf(host->file, sizeof host->file, "%s/", root);
    *sensor = (struct sensor){
        .path = "disk", .type = "disk", .unit = "B", .read = disk_read, .context = host};
    return disk_read(host, &value) == MOTE_OK;
}

/* Octets received and sent by all interfaces since they came up: the 1st and 9th number of each
 * line `name: ...`. */
static int network_read(void *context, struct decimal *value)
{
    const struct host_sensor *host = context;
    char line[LINE_MAX_OCTETS];
    const char *numbers;
    uint64_t received;
    uint64_t sent;
    FILE *in = fopen(host->file, "re");
    bool any = false;

    *value = (struct decimal){0, 0};
    while (in != NULL && fgets(line, sizeof line, in) != NULL) {
        numbers = strchr(line, ':');
        if (numbers != NULL &&
            sscanf(numbers + 1, "%" SCNu64 " %*u %*u %*u %*u %*u %*u %*u %" SCNu64, &received,
                   &sent) == 2) {
            value->digits += (int64_t)(received + sent);
            any = true;
        }
    }
    if (in != NULL)
        fclose(in);
    return any ? MOTE_OK : MOTE_E_IO;
}

bool network_sensor(struct sensor *sensor, struct host_sensor *host, const char *root)
{
    struct decimal value;

    snprintf(host->file, sizeof host->file, "%s/proc/net/dev", root);
    *sensor = (struct sensor){
        .path = "network", .type = "network", .unit = "B", .read = network_read, .context = host};
    return network_read(host, &value) == MOTE_OK;
}

/* Thermal zones and hwmon both report thousandths of a degree. */
static int temperature_read(void *context, struct decimal *value)
{
    const struct host_sensor *host = context;
    char line[LINE_MAX_OCTETS];

    if (!line_after(host->file, "", line, sizeof line) || !decimal_parse(line, value) ||
        value->places != 0)
        return MOTE_E_IO;
    value->places = 3;
    return MOTE_OK;
}

/* Finds the first file of the pattern with a temperature. */
static bool temperature_find(struct host_sensor *host, const char *root, const char *pattern)
{
    char full[sizeof host->file];
    glob_t found;
    struct decimal value;
    bool any = false;

    snprintf(full, sizeof full, "%s%s", root, pattern);
    if (glob(full, 0, NULL, &found) != 0)
        return false;
    for (size_t i = 0; i < found.gl_pathc && !any; i++) {
        snprintf(host->file, sizeof host->file, "%s", found.gl_pathv[i]);
        any = temperature_read(host, &value) == MOTE_OK;
    }
    globfree(&found);
    return any;
}

bool temperature_sensor(struct sensor *sensor, struct host_sensor *host, const char *root)
{
    *sensor = (struct sensor){.path = "temperature",
                              .type = "temperature",
                              .unit = "Cel",
                              .read = temperature_read,
                              .context = host};
    return temperature_find(host, root, "/sys/class/thermal/thermal_zone*/temp") ||
           temperature_find(host, root, "/sys/class/hwmon/hwmon*/temp*_input");
}

static const char *last_column(char *line)
{
    char *comma;

    line[strcspn(line, "\r\n")] = '\0';
    comma = strrchr(line, ',');
    return comma == NULL ? line : comma + 1;
}

static bool next_value(FILE *file, struct decimal *value)
{
    char line[LINE_MAX_OCTETS];
    const char *column;

    while (fgets(line, sizeof line, file) != NULL) {
        column = last_column(line);
        if (decimal_parse(column + strspn(column, " \""), value))
            return true;
    }
    return false;
}

static int csv_read(void *context, struct decimal *value)
{
    struct host_sensor *host = context;
    char header[LINE_MAX_OCTETS];

    if (next_value(host->csv.file, value))
        return MOTE_OK;
    rewind(host->csv.file);
    if (fgets(header, sizeof header, host->csv.file) == NULL)
        return MOTE_E_IO;
    return next_value(host->csv.file, value) ? MOTE_OK : MOTE_E_IO;
}

bool csv_sensor(struct sensor *sensor, struct host_sensor *host, const char *path)
{
    struct csv_sensor *csv = &host->csv;
    char header[LINE_MAX_OCTETS];

    csv->file = fopen(path, "re");
    if (csv->file == NULL || fgets(header, sizeof header, csv->file) == NULL ||
        sscanf(last_column(header), " %31[A-Za-z0-9._-] (%31[!-'*-~])", csv->path, csv->unit) !=
            2) {
        if (csv->file != NULL)
            fclose(csv->file);
        return false;
    }
    *sensor = (struct sensor){
        .path = csv->path, .type = csv->path, .unit = csv->unit, .read = csv_read, .context = host};
    return true;
}
