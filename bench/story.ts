import { monotonicFactory } from 'ulid'
import type { EntityRow, EventRow } from '../src/db/tables.ts'
import { actions, birth, common, longAgo } from './story-actions.ts'
import {
  type Batch,
  type Card,
  type Cast,
  ELEMENTS,
  kinds,
  oneOf,
  type Story,
  sayOf,
  seconds,
  weighed,
} from './story-parts.ts'

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
export function* tell(cast: Cast, count: number, now: number): Generator<Batch, Marks> {
  const random = dice(20_260_301)
  const begin = now - SPAN_MS
  const story: Story = {
    cast,
    count,
    told: 0,
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
  const reached = (part: number) => story.told >= part * count
  let [rare, isOld] = [0, false]
  for (let n = 0; story.told < count; n++) {
    story.at = Math.floor(begin + (SPAN_MS * story.told) / count)
    story.request_id = `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
    const isDue = story.cards.length * EVENTS_A_RECORD <= story.told
    const card = isDue ? newCard(story) : anyCard(story)
    story.by = whoActs(story, card)
    if (isDue) birth(story, card)
    else if (card === story.cards[BUSY] && random() < 0.5) common(story, card)
    else weighed(random, actions[card.kind])(story, card)
    card.changed = seconds(story)
    if (rare < RARE && reached(rare / RARE)) {
      rare++
      sayOf(story, card, { type: 'entity_merged' })
    }
    if (!isOld && reached(LONG_AGO)) {
      isOld = true
      longAgo(story, story.cards[0] as Card)
    }
    if (reached(1 / 2) && middle.length < 10) middle.push((story.batch.events.at(-1) as EventRow).id)
    if (story.batch.events.length < BATCH) continue
    yield story.batch
    story.batch = emptyBatch()
  }
  yield story.batch
  yield* recordBatches(story)
  const leadsOf = (cards: Card[]) => cards.filter(({ kind }) => kind === 'leads').map(({ id }) => id)
  const leads = leadsOf(story.cards)
  const half = Math.floor(leads.length / 2)
  const from = Math.floor((begin + SPAN_MS / 2) / 1000)
  return {
    events: story.told,
    middle,
    leads: leads.slice(half, half + 10),
    recent: leadsOf(story.cards.slice(-RECENT)),
    busy: (story.cards[BUSY] as Card).id,
    month: { from, to: from + 30 * 86_400 },
  }
}

const emptyBatch = (): Batch => ({ entities: [], events: [], event_keys: [], notes: [], tasks: [] })

/** mulberry32: sufficiently random, and the same numbers in every run. */
function dice(seed: number): () => number {
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

function newCard(story: Story): Card {
  const { cast, cards, count, random } = story
  const n = cards.length
  // Ten in total, evenly spread.
  const apart = Math.floor(count / EVENTS_A_RECORD / 10)
  const isOfFew = n % apart === apart - 1 && n < apart * 10
  const card: Card = {
    id: ELEMENTS + n + 1,
    kind: n < FIRST_LEADS ? 'leads' : weighed(random, shares),
    owner: isOfFew ? cast.few : oneOf(story, cast.owners),
    stage: cast.stages[0] as number,
    price: 0,
    born: seconds(story),
    changed: 0,
  }
  cards.push(card)
  return card
}

/** Usually one of the newest records, and sometimes the busy lead. */
function anyCard({ cards, count, random }: Story): Card {
  const busy = cards[BUSY]
  if (busy && random() < Math.max(0.001, BUSY_ACTIONS / count)) return busy
  const among = random() < 0.75 ? Math.min(cards.length, RECENT) : cards.length
  return cards[cards.length - 1 - Math.floor(random() * among)] as Card
}

function whoActs(story: Story, card: Card): number {
  const dice = story.random()
  if (dice < 0.6) return card.owner
  return dice < 0.85 ? oneOf(story, story.cast.workers) : 0
}

function* recordBatches({ cast, cards }: Story): Generator<Batch> {
  const sample = cards[0] as Card
  const elements = Array.from({ length: ELEMENTS }, (_, n) => ({
    ...recordRow(cast, { ...sample, kind: 'companies', id: n + 1 }),
    entity_type: 'catalog_elements',
    catalog_id: cast.catalog_id,
    name: `Element ${n + 1}`,
  }))
  yield { ...emptyBatch(), entities: elements }
  for (let n = 0; n < cards.length; n += BATCH)
    yield { ...emptyBatch(), entities: cards.slice(n, n + BATCH).map((card) => recordRow(cast, card)) }
}

function recordRow(cast: Cast, { id, kind, owner, stage, price, born, changed }: Card): EntityRow {
  const isLead = kind === 'leads'
  return {
    account_id: cast.account_id,
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
    created_at: born,
    updated_at: changed,
    is_deleted: 0,
    merged_into: null,
    closest_task_at: null,
    price: isLead ? price : null,
    pipeline_id: isLead ? cast.pipeline_id : null,
    status_id: isLead ? stage : null,
    loss_reason_id: null,
    source_id: null,
    closed_at: null,
    next_price: null,
    next_date: null,
    periodicity: null,
    ltv: null,
    price_with_minor_units: null,
    purchases_count: null,
    bonus_points: null,
  }
}
