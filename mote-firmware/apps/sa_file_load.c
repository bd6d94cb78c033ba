#include <stdio.h>

#include "mote/base.h"
#include "sa_file.h"
#include "secret_file.h"

int sa_file_load(struct sa_file *file, const char *option, const char *path, char *problem,
                 size_t size)
{
    char text[SA_FILE_SIZE + 1];
    char wrong[256];
    int len = secret_file_read(option, path, text, SA_FILE_SIZE, problem, size);
    int error;

    if (len < 0)
        return -1;
    error = sa_file_parse(file, text, (size_t)len, wrong, sizeof wrong);
    wipe(text, sizeof text);
    if (error != 0)
        snprintf(problem, size, "%s %s: %s", option, path, wrong);
    return error;
}
