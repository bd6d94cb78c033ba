/* Link security and a commander, as the file that SECRETS names. */
#define MOTE_LINK_KEY                                                                              \
    {                                                                                              \
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15                                       \
    }
#define MOTE_COMMANDER "{\"kty\":\"EC\",\"crv\":\"P-256\"}"
