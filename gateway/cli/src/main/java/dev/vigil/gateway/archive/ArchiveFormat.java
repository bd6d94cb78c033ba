package dev.vigil.gateway.archive;

/** The format of an archive. */
public enum ArchiveFormat {
  CSV("text/csv;charset=utf-8", CsvRows.HEADER + "\r\n"),
  JSONL("application/x-ndjson", "");

  private final String mediaType;
  private final String start;

  ArchiveFormat(String mediaType, String start) {
    this.mediaType = mediaType;
    this.start = start;
  }

  public String mediaType() {
    return mediaType;
  }

  /** The text before the first reading. */
  public String start() {
    return start;
  }

  /** Formats a reading, including its line end. */
  public String write(ArchivedReading reading) {
    return switch (this) {
      case CSV -> CsvRows.write(reading);
      case JSONL -> JsonLines.write(reading) + "\n";
    };
  }
}
