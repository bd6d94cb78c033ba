/* Checks block storage on Coffee with the contract that the file and RAM storages also pass. A
 * Linux process then ends. Erases the files blocks.0 to blocks.3. */
#include <stdio.h>
#include <stdlib.h>

#include "contiki-port.h"
#include "support/blocks_contract.h"

enum { SEGMENTS = 4 };

PROCESS(blocks_check_process, "blocks check");
AUTOSTART_PROCESSES(&blocks_check_process);

PROCESS_THREAD(blocks_check_process, ev, data)
{
    struct block_storage storage = port_blocks(SEGMENTS);
    const char *broken;

    PROCESS_BEGIN();
    (void)ev;
    (void)data;
    broken = blocks_contract(&storage);
    printf("blocks: %s%s\n", broken == NULL ? "kept" : "broken: ", broken == NULL ? "" : broken);
#if CONTIKI_TARGET_NATIVE
    exit(broken == NULL ? EXIT_SUCCESS : EXIT_FAILURE);
#endif
    PROCESS_END();
}
