import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Problem } from '../api/problem.ts'
import { type Trace, type TraceNode, traceOptions } from '../data/traces.ts'
import { Callout } from '../parts/layout/callout.tsx'
import { DescriptionList } from '../parts/layout/description-list.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { CopyButton } from '../parts/texts/copyable.tsx'
import { useFormat } from '../parts/texts/format.ts'
import classes from './trace.module.css'
import { TraceRow } from './trace-row.tsx'
import { type Branch, treeOf } from './tree.ts'

const route = getRouteApi('/shell/developers/traces/$requestId')

/** The effects of a request, as a tree. */
export function TracePage() {
  const { t } = useTranslation()
  const { requestId } = route.useParams()
  const query = useQuery(traceOptions(requestId))
  return (
    <Page
      title={t('traces.title')}
      lead={t('traces.lead')}
      back={{ to: '/developers/requests', label: t('requests.title') }}
    >
      {query.error instanceof Problem && query.error.status === 404 ? (
        <Callout tone="info" title={t('traces.none_title')} live>
          {t('traces.none')}
        </Callout>
      ) : (
        <Loaded query={query} rows={8}>
          {(trace) => <Tree trace={trace} />}
        </Loaded>
      )}
    </Page>
  )
}

function Tree({ trace }: { trace: Trace }) {
  const { t } = useTranslation()
  const root = treeOf(trace)
  if (!root) return null
  const isAlone = root.branches.length === 0
  return (
    <>
      <div className={classes.facts}>
        <Facts trace={trace} began={root.node.at} />
      </div>
      {!trace.is_logged && (
        <div className={classes.notice}>
          <Callout tone="info" title={t('traces.not_logged_title')}>
            {t('traces.not_logged')}
          </Callout>
        </div>
      )}
      {trace.is_cut && (
        <div className={classes.notice}>
          <Callout tone="warn" title={t('traces.cut_title')}>
            {t('traces.cut')}
          </Callout>
        </div>
      )}
      <ul className={classes.tree} aria-label={t('traces.tree')}>
        <BranchOf branch={root} began={root.node.at} asked={trace.asked} />
      </ul>
      {isAlone && <p className={classes.nothing}>{t('traces.nothing')}</p>}
    </>
  )
}

function Facts({ trace: { request_id, trace_id }, began }: { trace: Trace; began: number }) {
  const { t } = useTranslation()
  const format = useFormat()
  const id = (label: string, value: string) => (
    <span className={classes.id}>
      <code>{value}</code>
      <CopyButton label={label} value={value} />
    </span>
  )
  return (
    <DescriptionList
      of={[
        [t('traces.began'), format.exact(began / 1000)],
        [t('traces.request_id'), id(t('traces.request_id'), request_id)],
        [t('traces.trace_id'), trace_id && id(t('traces.trace_id'), trace_id)],
      ]}
    />
  )
}

interface BranchProps {
  branch: Branch
  began: number
  asked: string | null
}

function BranchOf({ branch: { node, branches, left_out }, began, asked }: BranchProps) {
  return (
    <li>
      <TraceRow node={node} began={began} isAsked={node.id === asked} />
      {branches.length > 0 && (
        <ul>
          {branches.map((branch, i) => (
            <Fragment key={branch.node.id}>
              <BranchOf branch={branch} began={began} asked={asked} />
              {branch.node.kind !== branches[i + 1]?.node.kind && (
                <More of={left_out} kind={branch.node.kind} />
              )}
            </Fragment>
          ))}
        </ul>
      )}
    </li>
  )
}

const counted = ['event', 'audit', 'run', 'delivery', 'attempt'] as const

/** How many nodes of a kind are not shown, after the last one that is. */
function More({ of, kind }: { of: Trace['left_out']; kind: TraceNode['kind'] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const count = of.find((one) => one.kind === kind)?.count
  if (count === undefined) return null
  const name = counted.find((one) => one === kind) ?? 'other'
  return <li className={classes.more}>{t(`traces.more.${name}`, { count, number: format.number(count) })}</li>
}
