package dev.vigil.gateway.dashboards.images;

import dev.vigil.gateway.records.Secret;

/**
 * A part of an image: a record is smaller than an image.
 *
 * @param type media type of the image
 * @param count of the image's pieces
 * @param octets too many for the audit trail
 */
record ImagePiece(String type, int width, int height, int count, @Secret byte[] octets) {}
