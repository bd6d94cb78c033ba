/* As sa-table writes it. */
static struct sa_entry associations[2];
