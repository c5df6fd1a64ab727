import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionOptions } from '../data/session.ts'
import classes from './trace-link.module.css'

interface TraceLinkProps {
  /** The id of a request, or what stands in its place. */
  id: string
  /** By default the word. */
  children?: ReactNode
  className?: string
}

/** Work of the server that no request caused, such as the sample data, has no trace. */
const TRACED = /^[0-9a-f]{8}-[0-9a-f-]{27}$|^(?:automation|import|bulk_change|undo) \d+$/

/** A link to the trace of a request, for administrators. Others see the children alone. */
export function TraceLink({ id, children, className }: TraceLinkProps) {
  const { t } = useTranslation()
  const { data: session } = useQuery(sessionOptions)
  if (!session?.account?.is_admin || !TRACED.test(id)) return children
  return (
    <Link to="/developers/traces/$requestId" params={{ requestId: id }} className={className ?? classes.link}>
      {children ?? t('traces.open')}
    </Link>
  )
}
