/* Prints the associations of a file as C, for the Makefile above. Runs where the image is built. */
#include <stdio.h>

#include "../../../apps/sa_file.h"

enum { EXIT_USAGE = 2 };

int main(int argc, char **argv)
{
    static struct sa_file file;
    char problem[512];
    size_t used = 0;

    if (argc != 2) {
        fprintf(stderr, "usage: sa-table FILE\n");
        return EXIT_USAGE;
    }
    if (sa_file_load(&file, "SA", argv[1], problem, sizeof problem) != 0) {
        fprintf(stderr, "%s\n", problem);
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < file.count; i++) {
        used += !file.entries[i].stored;
        if (file.entries[i].stored)
            fprintf(stderr, "SA %s: line %u is for a block store: ignored, this port has none\n",
                    argv[1], file.entries[i].line);
    }
    if (used == 0) {
        fprintf(stderr, "SA %s: the file has no association: leave SA out\n", argv[1]);
        return EXIT_USAGE;
    }
    sa_file_write_c(&file, stdout);
    return 0;
}
