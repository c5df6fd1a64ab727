import { monotonicFactory } from 'ulid'
import type { EntityRow, EventRow } from '../src/db/tables.ts'
import { actions, common, creation, longAgo } from './history-actions.ts'
import {
  addEventOf,
  type Batch,
  type Card,
  ELEMENTS,
  type Fixtures,
  type HistoryState,
  kinds,
  oneOf,
  seconds,
  weighed,
} from './history-state.ts'

/** Parts of the history that the benchmarks search for. */
export interface Marks {
  events: number
  /** Events from the middle of the three years. */
  middle: string[]
  /** Leads from the middle, with about ten events each. */
  leads: number[]
  /** Some of the newest leads, on which people are working. */
  recent: number[]
  /** A lead with hundreds of events and notes. */
  busy: number
  /** A month in the middle. */
  month: { from: number; to: number }
}

const SPAN_MS = 3 * 365 * 86_400_000
const EVENTS_A_RECORD = 10
const BATCH = 20_000
/** The first records are leads: the oldest changes are about one of them, and one is the busy lead. */
const FIRST_LEADS = 10
const BUSY = 5
/** Most changes are about one of the newest records. */
const RECENT = 3_000
/** Gives the busy lead more than a page of notes, even in a short history. */
const BUSY_ACTIONS = 2_000
/** A type with a hundred events, evenly spread over time. */
const RARE = 100
/** The fraction of the time after which the one-time changes happen. */
const LONG_AGO = 0.01

/**
 * Generates three years of an account, the same in every run: about ten events per record, several of them at the same
 * time if one change causes several. The records come last, in their final state.
 */
export function* generateHistory(fixtures: Fixtures, count: number, now: number): Generator<Batch, Marks> {
  const random = randomFrom(20_260_301)
  const begin = now - SPAN_MS
  const history: HistoryState = {
    fixtures,
    count,
    generated: 0,
    random,
    ulid: monotonicFactory(random),
    cards: [],
    batch: emptyBatch(),
    last: { note: 0, task: 0 },
    open_tasks: [],
    at: begin,
    by: 0,
    request_id: '',
  }
  const middle: string[] = []
  const reached = (part: number) => history.generated >= part * count
  let [rare, isOld] = [0, false]
  for (let n = 0; history.generated < count; n++) {
    history.at = Math.floor(begin + (SPAN_MS * history.generated) / count)
    history.request_id = `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
    const isDue = history.cards.length * EVENTS_A_RECORD <= history.generated
    const card = isDue ? newCard(history) : anyCard(history)
    history.by = authorOf(history, card)
    if (isDue) creation(history, card)
    else if (card === history.cards[BUSY] && random() < 0.5) common(history, card)
    else weighed(random, actions[card.kind])(history, card)
    card.changed = seconds(history)
    if (rare < RARE && reached(rare / RARE)) {
      rare++
      addEventOf(history, card, { type: 'entity_merged' })
    }
    if (!isOld && reached(LONG_AGO)) {
      isOld = true
      longAgo(history, history.cards[0] as Card)
    }
    if (reached(1 / 2) && middle.length < 10) middle.push((history.batch.events.at(-1) as EventRow).id)
    if (history.batch.events.length < BATCH) continue
    yield history.batch
    history.batch = emptyBatch()
  }
  yield history.batch
  yield* recordBatches(history)
  const leadsOf = (cards: Card[]) => cards.filter(({ kind }) => kind === 'leads').map(({ id }) => id)
  const leads = leadsOf(history.cards)
  const half = Math.floor(leads.length / 2)
  const from = Math.floor((begin + SPAN_MS / 2) / 1000)
  return {
    events: history.generated,
    middle,
    leads: leads.slice(half, half + 10),
    recent: leadsOf(history.cards.slice(-RECENT)),
    busy: (history.cards[BUSY] as Card).id,
    month: { from, to: from + 30 * 86_400 },
  }
}

const emptyBatch = (): Batch => ({ entities: [], events: [], event_keys: [], notes: [], tasks: [] })

/** mulberry32: sufficiently random, and the same numbers in every run. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const shares = [
  [55, 'leads'],
  [35, 'contacts'],
  [10, 'companies'],
] as const

function newCard(history: HistoryState): Card {
  const { fixtures, cards, count, random } = history
  const n = cards.length
  // Ten in total, evenly spread.
  const apart = Math.floor(count / EVENTS_A_RECORD / 10)
  const isOfFew = n % apart === apart - 1 && n < apart * 10
  const card: Card = {
    id: ELEMENTS + n + 1,
    kind: n < FIRST_LEADS ? 'leads' : weighed(random, shares),
    owner: isOfFew ? fixtures.few : oneOf(history, fixtures.owners),
    stage: fixtures.stages[0] as number,
    price: 0,
    created: seconds(history),
    changed: 0,
  }
  cards.push(card)
  return card
}

/** Usually one of the newest records, and sometimes the busy lead. */
function anyCard({ cards, count, random }: HistoryState): Card {
  const busy = cards[BUSY]
  if (busy && random() < Math.max(0.001, BUSY_ACTIONS / count)) return busy
  const among = random() < 0.75 ? Math.min(cards.length, RECENT) : cards.length
  return cards[cards.length - 1 - Math.floor(random() * among)] as Card
}

function authorOf(history: HistoryState, card: Card): number {
  const chance = history.random()
  if (chance < 0.6) return card.owner
  return chance < 0.85 ? oneOf(history, history.fixtures.workers) : 0
}

function* recordBatches({ fixtures, cards }: HistoryState): Generator<Batch> {
  const sample = cards[0] as Card
  const elements = Array.from({ length: ELEMENTS }, (_, n) => ({
    ...recordRow(fixtures, { ...sample, kind: 'companies', id: n + 1 }),
    entity_type: 'catalog_elements',
    catalog_id: fixtures.catalog_id,
    name: `Element ${n + 1}`,
  }))
  yield { ...emptyBatch(), entities: elements }
  for (let n = 0; n < cards.length; n += BATCH)
    yield { ...emptyBatch(), entities: cards.slice(n, n + BATCH).map((card) => recordRow(fixtures, card)) }
}

function recordRow(fixtures: Fixtures, { id, kind, owner, stage, price, created, changed }: Card): EntityRow {
  const isLead = kind === 'leads'
  return {
    account_id: fixtures.account_id,
    entity_type: kind,
    id,
    catalog_id: null,
    name: `${kinds[kind]} ${id}`,
    name_key: `${kinds[kind]} ${id}`.toLowerCase(),
    first_name: kind === 'contacts' ? kinds[kind] : null,
    last_name: kind === 'contacts' ? String(id) : null,
    responsible_user_id: owner,
    created_by: owner,
    updated_by: owner,
    created_by_integration: null,
    updated_by_integration: null,
    created_at: created,
    updated_at: changed,
    is_deleted: 0,
    is_unsorted: 0,
    merged_into: null,
    closest_task_at: null,
    price: isLead ? price : null,
    pipeline_id: isLead ? fixtures.pipeline_id : null,
    status_id: isLead ? stage : null,
    loss_reason_id: null,
    source_id: null,
    closed_at: null,
    next_price: null,
    next_price_with_minor_units: null,
    next_date: null,
    periodicity: null,
    ltv: null,
    ltv_with_minor_units: null,
    price_with_minor_units: null,
    purchases_count: null,
    bonus_points: null,
  }
}
