import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { TraceNode } from '../data/traces.ts'

/** The page of what a node shows; without one, the text alone. */
export function NodeLink({ node, children }: { node: TraceNode; children: ReactNode }) {
  const { kind, ref, subject, log_id } = node
  if (log_id !== null)
    return (
      <Link to="/developers/requests/$requestId" params={{ requestId: String(log_id) }}>
        {children}
      </Link>
    )
  if (kind === 'event')
    return (
      <Link to="/events/$eventId" params={{ eventId: ref }}>
        {children}
      </Link>
    )
  if (kind === 'audit') return <Link to="/settings/audit">{children}</Link>
  if (kind === 'job')
    return (
      <Link to="/import/$jobId" params={{ jobId: ref }}>
        {children}
      </Link>
    )
  if (kind === 'run' && subject !== null)
    return (
      <Link to="/settings/pipelines/$pipelineId" params={{ pipelineId: subject }}>
        {children}
      </Link>
    )
  if (kind === 'delivery')
    return (
      <Link to="/developers/deliveries/$deliveryId" params={{ deliveryId: ref }}>
        {children}
      </Link>
    )
  return <span>{children}</span>
}
