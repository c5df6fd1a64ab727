import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { LOST, type Pipeline, pipelinesOptions, type Stage, WON } from '../data/pipelines.ts'
import { type StageTotal, type Totals, totalsOptions } from '../data/totals.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import { useFormat } from '../parts/texts/format.ts'
import { Money } from '../parts/texts/money.tsx'
import { useSignedIn } from '../shell/use-session.ts'
import { EmptyLine, HomeSection } from './home-section.tsx'
import classes from './my-leads.module.css'

/** The person's leads by stage, with counts and totals. */
export function MyLeads() {
  const { t } = useTranslation()
  const { user } = useSignedIn()
  const mine = { 'filter[responsible_user_id]': String(user.id) }
  const query = useQuery(totalsOptions('leads', mine))
  const { data: pipelines } = useQuery(pipelinesOptions)
  return (
    <HomeSection title={t('home.my_leads')} all={{ to: '/leads', search: mine, label: t('home.to_leads') }}>
      <Loaded query={query} rows={3}>
        {(totals) =>
          totals.total === 0 ? (
            <EmptyLine>{t('home.no_leads')}</EmptyLine>
          ) : (
            (pipelines ?? []).map((pipeline) => (
              <Funnel
                key={pipeline.id}
                pipeline={pipeline}
                totals={totals}
                isNamed={(pipelines?.length ?? 0) > 1}
              />
            ))
          )
        }
      </Loaded>
    </HomeSection>
  )
}

/** More stages than this are shown only if they have leads: other parts of the page are below them. */
const MANY = 12

interface FunnelProps {
  pipeline: Pipeline
  totals: Totals
  isNamed: boolean
}

function Funnel({ pipeline, totals, isNamed }: FunnelProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const own = totals._embedded.statuses.filter(({ pipeline_id }) => pipeline_id === pipeline.id)
  if (own.length === 0) return null
  const of = (id: number) => own.find(({ status_id }) => status_id === id)
  const open = pipeline._embedded.statuses.filter(({ id }) => id !== WON && id !== LOST)
  const most = Math.max(1, ...open.map(({ id }) => of(id)?.total ?? 0))
  const won = of(WON)
  return (
    <>
      {isNamed && <h3 className={classes.pipeline}>{pipeline.name}</h3>}
      <ul className={classes.funnel} aria-label={pipeline.name}>
        {(open.length > MANY ? open.filter(({ id }) => of(id)) : open).map((stage) => (
          <StageRow key={stage.id} pipeline_id={pipeline.id} stage={stage} of={of(stage.id)} most={most} />
        ))}
      </ul>
      {won && (
        <p className={classes.won}>
          {t('home.won', { count: won.total, number: format.count(won.total, won.is_complete) })}
          {won.is_complete && <Sum amount={won.sum} />}
        </p>
      )}
    </>
  )
}

interface StageRowProps {
  pipeline_id: number
  stage: Stage
  of: StageTotal | undefined
  most: number
}

/** The bar is relative to the largest stage; the numbers carry the meaning. */
function StageRow({ pipeline_id, stage, of, most }: StageRowProps) {
  const format = useFormat()
  const { user } = useSignedIn()
  const { total = 0, sum = 0, is_complete = true } = of ?? {}
  const look = { '--pb-share': total / most, '--pb-stage': stage.color } as CSSProperties
  return (
    <li>
      <Link
        to="/leads"
        search={{
          'filter[statuses][0][pipeline_id]': String(pipeline_id),
          'filter[statuses][0][status_id]': String(stage.id),
          'filter[responsible_user_id]': String(user.id),
          shape: 'list',
        }}
        className={classes.stage}
        style={look}
      >
        <span className={classes.name} title={stage.name}>
          {stage.name}
        </span>
        <span className={classes.total}>{format.count(total, is_complete)}</span>
        {is_complete && <Sum amount={sum} />}
        <span className={classes.bar} aria-hidden />
      </Link>
    </li>
  )
}

function Sum({ amount }: { amount: number }) {
  return <span className={classes.money}>{amount > 0 && <Money amount={amount} />}</span>
}
