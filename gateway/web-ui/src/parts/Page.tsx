import { Title } from "@mantine/core";
import type { ReactNode } from "react";

/** The frame of a page: its heading, the elements next to it, and the content. */
export function Page({
  title,
  beside,
  children,
}: {
  title: ReactNode;
  beside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="page">
      <div className="page-head">
        <Title order={1} size="h2">
          {title}
        </Title>
        {beside}
      </div>
      {children}
    </div>
  );
}
