/* Prints the associations of a file as C, for the Makefile above. Runs where the image is built. */
#include <stdio.h>
#include <string.h>

#include "../../../apps/sa_file.h"

enum { EXIT_USAGE = 2 };

int main(int argc, char **argv)
{
    static struct sa_file file;
    char problem[512];
    struct sa_entry *previous;
    size_t stored;
    size_t used = 0;

    if (argc != 2 && (argc != 3 || strcmp(argv[2], "store") != 0)) {
        fprintf(stderr, "usage: sa-table FILE [store]\n");
        return EXIT_USAGE;
    }
    if (sa_file_load(&file, "SA", argv[1], problem, sizeof problem) != 0) {
        fprintf(stderr, "%s\n", problem);
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < file.count; i++) {
        used += !file.entries[i].stored;
        if (file.stores[i][0] != '\0')
            fprintf(stderr,
                    "SA %s: line %u is for a named block store: ignored, only vigil-mote "
                    "has them\n",
                    argv[1], file.entries[i].line);
        else if (file.entries[i].stored && argc == 2)
            fprintf(stderr, "SA %s: line %u is for a block store: ignored, build with STORE\n",
                    argv[1], file.entries[i].line);
    }
    if (used == 0) {
        fprintf(stderr, "SA %s: the file has no association: leave SA out\n", argv[1]);
        return EXIT_USAGE;
    }
    if (argc == 3 && sa_file_stored(&file, "", &previous, &stored) == NULL) {
        fprintf(stderr, "SA %s has %zu lines `store`: give one, or two with the same addresses\n",
                argv[1], stored);
        return EXIT_USAGE;
    }
    sa_file_write_c(&file, stdout);
    return 0;
}
