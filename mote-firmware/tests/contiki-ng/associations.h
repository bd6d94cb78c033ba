/* As sa-table writes it. */
#ifdef MOTE_STORED_ASSOCIATIONS
static struct sa_entry stored_associations[1];
#else
static struct sa_entry associations[2];
#endif
