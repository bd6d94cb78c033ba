import { NativeSelect, TextInput } from "@mantine/core";
import { memo, useMemo } from "react";
import type { ShownEndpoint } from "../../gateway/endpointStore";
import { FRESHNESSES, TRUSTS } from "../../gateway/model";
import { Search } from "../../parts/icons";
import { TagChooser } from "../../parts/TagField";
import { tagsInUse } from "../../gateway/tags";
import { useMessages } from "../../hooks/messages";
import { freshnessWord, trustWord } from "../../text/format";
import type { Query } from "./list";
import { ExportMenu } from "./ExportMenu";
import { endpointsMessages } from "./messages";

/** Stands for "any domain"; names of domains cannot contain this character. */
const ANY = "*";

/** Search and filters of the list, and exports. */
export const Filters = memo(function Filters({
  endpoints,
  query,
  onChange,
}: {
  endpoints: readonly ShownEndpoint[];
  query: Query;
  onChange: (query: Query) => void;
}) {
  const texts = useMessages(endpointsMessages);
  const domains = useMemo(
    () => [...new Set(endpoints.map(({ endpoint }) => endpoint.d))].sort(),
    [endpoints],
  );
  const tags = useMemo(() => tagsInUse(endpoints), [endpoints]);
  return (
    <div className="tools">
      <TextInput
        type="search"
        className="tools-search"
        value={query.text}
        placeholder={texts.search}
        aria-label={texts.searchLabel}
        leftSection={<Search size={15} />}
        onChange={(event) => onChange({ ...query, text: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label={texts.freshness}
        value={query.freshness}
        data={[
          { value: "", label: texts.anyState },
          { value: "attention", label: texts.attention },
          ...FRESHNESSES.map((value) => ({ value, label: freshnessWord(value) })),
        ]}
        onChange={(event) =>
          onChange({ ...query, freshness: event.currentTarget.value as Query["freshness"] })
        }
      />
      <NativeSelect
        aria-label={texts.trust}
        value={query.trust}
        data={[
          { value: "", label: texts.anyTrust },
          ...TRUSTS.map((value) => ({ value, label: trustWord(value).label })),
        ]}
        onChange={(event) =>
          onChange({ ...query, trust: event.currentTarget.value as Query["trust"] })
        }
      />
      {(domains.length > 1 || query.domain !== undefined) && (
        <NativeSelect
          aria-label={texts.domain}
          value={query.domain ?? ANY}
          data={[
            { value: ANY, label: texts.anyDomain },
            ...domains.map((value) => ({ value, label: value === "" ? texts.noDomain : value })),
          ]}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            onChange({ ...query, domain: chosen === ANY ? undefined : chosen });
          }}
        />
      )}
      {(tags.length > 0 || query.tags.length > 0) && (
        <TagChooser
          among={tags}
          value={query.tags}
          onChange={(chosen) => onChange({ ...query, tags: chosen })}
        />
      )}
      <ExportMenu domain={query.domain} tags={query.tags} />
    </div>
  );
});
