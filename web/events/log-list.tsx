import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Page } from '../api/lists.ts'
import type { LogEvent } from '../data/events.ts'
import { LiveList, type LiveQuery } from '../parts/lists/live-list.tsx'
import { LogRow } from './log-row.tsx'

interface LogListProps {
  query: LiveQuery
  pages: Page<LogEvent>[]
}

/** The events of the log. Each can be expanded. */
export function LogList({ query, pages }: LogListProps) {
  const { t } = useTranslation()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => setOpen((now) => toggled(now, id))
  return (
    <LiveList
      label={t('events.list')}
      query={query}
      pages={pages}
      keyOf={({ id }) => id}
      timeOf={({ created_at }) => created_at}
      end={t('events.end')}
      newer={(count) => t('events.live.new', { count })}
      isExpanded={open.size > 0}
    >
      {(event) => <LogRow event={event} isOpen={open.has(event.id)} onToggle={toggle} />}
    </LiveList>
  )
}

function toggled(all: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(all)
  if (!next.delete(id)) next.add(id)
  return next
}
