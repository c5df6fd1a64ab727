import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { accountOptions } from '../data/accounts.ts'
import { colleaguesOptions } from '../data/colleagues.ts'
import { customerStagesOptions, pipelinesOptions } from '../data/pipelines.ts'
import { briefOptions } from '../data/record-briefs.ts'
import { type AnyRecord, type Collection, wordOf } from '../data/records.ts'
import { RowLink } from '../parts/lists/row-link.tsx'
import { type Acting, useActingName } from '../parts/people/acting-name.ts'
import { NamedPerson } from '../parts/people/person-name.tsx'
import { FewTags } from '../parts/records/few-tags.tsx'
import { StageLabel } from '../parts/records/stage-label.tsx'
import { useFormat } from '../parts/texts/format.ts'
import classes from './list.module.css'

/** Data for all cells of a list. It is read once, because scrolling renders hundreds of rows. */
export interface CellWords {
  person: (id: number | undefined) => string | undefined
  stage: (pipeline_id: number | undefined, status_id: number | undefined) => NamedStage | undefined
  money: (amount: number | undefined) => string | undefined
  moment: (seconds: number) => string
  exact: (seconds: number) => string
}
interface NamedStage {
  name: string
  color: string
  /** With the pipeline, if there are several. */
  whole: string
}

export function useCellWords(collection: Collection): CellWords {
  const format = useFormat()
  const word = wordOf(collection)
  const { data: account } = useQuery(accountOptions)
  const { data: colleagues } = useQuery(colleaguesOptions)
  const { data: pipelines } = useQuery({ ...pipelinesOptions, enabled: word === 'leads' })
  const { data: customerStages } = useQuery({ ...customerStagesOptions, enabled: word === 'customers' })
  return useMemo(() => {
    const people = new Map(colleagues?.map(({ id, name }) => [id, name]))
    const stages = new Map<string, NamedStage>()
    for (const { id, name, _embedded } of pipelines ?? [])
      for (const stage of _embedded.statuses) {
        const whole = pipelines?.length === 1 ? stage.name : `${name}: ${stage.name}`
        stages.set(`${id}:${stage.id}`, { name: stage.name, color: stage.color, whole })
      }
    for (const { id, name, color } of customerStages ?? [])
      stages.set(`undefined:${id}`, { name, color, whole: name })
    return {
      person: (id) => (id === undefined ? undefined : people.get(id)),
      stage: (pipeline_id, status_id) => stages.get(`${pipeline_id}:${status_id}`),
      money: (amount) => (amount && account ? format.money(amount, account.currency) : undefined),
      moment: format.moment,
      exact: format.exact,
    }
  }, [account, colleagues, pipelines, customerStages, format])
}

/** Empty if the record has no stage. */
export function StageCell({ of }: { of: NamedStage | undefined }) {
  return of ? (
    <span className={classes.line} title={of.whole}>
      <StageLabel name={of.name} color={of.color} />
    </span>
  ) : null
}

interface PersonCellProps {
  name: string | undefined
  /** The integration that acted for this person. */
  integration?: Acting
}

export function PersonCell({ name, integration }: PersonCellProps) {
  const actingName = useActingName()
  const shown = actingName(name, integration)
  return shown === '' ? null : (
    <span className={classes.line} title={shown}>
      {integration ? shown : <NamedPerson name={shown} />}
    </span>
  )
}

export function MomentCell({ at, words }: { at: number | null | undefined; words: CellWords }) {
  return at ? (
    <time className={classes.soft} title={words.exact(at)}>
      {words.moment(at)}
    </time>
  ) : null
}

export function TagsCell({ of = [] }: { of?: { id: number; name: string }[] }) {
  if (of.length === 0) return null
  return (
    <span className={classes.tags}>
      <FewTags of={of} />
    </span>
  )
}

/** The main contact of a record, or the first one. */
export function ContactCell({ of: { _embedded } }: { of: AnyRecord }) {
  const contact = _embedded?.contacts?.find(({ is_main }) => is_main) ?? _embedded?.contacts?.[0]
  return <LinkedCell collection="contacts" id={contact?.id} />
}

/** A linked record. Tab skips it, because Tab moves between rows. */
export function LinkedCell({ collection, id }: { collection: Collection; id: number | undefined }) {
  return id === undefined ? null : <NamedLink collection={collection} id={id} />
}

function NamedLink({ collection, id }: { collection: Collection; id: number }) {
  const { data } = useQuery(briefOptions(collection, id))
  // Hidden records have no name.
  if (!data) return null
  return (
    <RowLink collection={collection} id={id} className={classes.link} tabIndex={-1}>
      {data.name}
    </RowLink>
  )
}
