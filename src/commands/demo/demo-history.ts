import type { Actor } from '../../accounts/accounts.ts'
import type { Context } from '../../context.ts'
import { addFields } from '../../custom-fields/custom-fields.ts'
import { addEntities, editEntities, noteParents } from '../../entities/entities.ts'
import { addNotes } from '../../notes/notes.ts'
import { addPipelines, findStages, LOST, listPipelines, WON } from '../../pipelines/pipelines.ts'
import { addTasks, editTasks } from '../../tasks/tasks.ts'
import { addRange, linkTo, type Range } from './demo-catalog.ts'
import { addConversations, conversations, type DemoChannel } from './demo-chats.ts'
import { addCourier, type Connect } from './demo-courier.ts'
import { addRepeatCustomers } from './demo-customers.ts'
import { type ShopFiles, uploadShopFiles } from './demo-files.ts'
import { addColleagues, type People } from './demo-people.ts'
import * as shop from './demo-shop.ts'
import { atTime, DAY, HOUR, later, MINUTE } from './demo-times.ts'

const LEADS = 200
const CONTACTS = 120
/** The number of contacts on the first day. */
const KNOWN = 20
const REGULARS = 16
/** The number of days in the shop's history; every day ends with some events. */
const DAYS = 40

/**
 * Fills the demo account through the public APIs of the slices, with a clock that runs through the last weeks. So
 * its log is consistent, and all days differ.
 */
export async function seedHistory(
  ctx: Context,
  ada: Actor,
  channel: DemoChannel,
  connect: Connect,
): Promise<void> {
  const random = shop.chance(42)
  const today = ctx.now()
  const on = (day: number) =>
    atTime(ctx, today - (DAYS - day) * DAY - 5 * HOUR - Math.floor(random() * 8 * HOUR))
  const opening = on(0)
  const people = await addColleagues(opening, ada)
  const courier = await addCourier(opening, ada, connect)
  const set = await seedFirstDay(opening, ada, people, random)
  const open: Open[] = []
  for (let day = 1; day <= DAYS; day++) {
    const now = on(day)
    if (day % 4 === 1) await addContacts(now, ada, set, (CONTACTS - KNOWN) / (DAYS / 4), random)
    const seller = shop.pick(random, people.staff)
    const added = await addLeads(now, seller, people, set, random)
    for (const { id, price, pipeline_id } of added)
      open.push({ id, price: price ?? 0, stage: 0, pipeline: set.stages.get(pipeline_id as number) ?? [] })
    const ids = added.map(({ id }) => id)
    await moveLeads(later(now, 40 * MINUTE), shop.pick(random, people.staff), open, random)
    await addLeadNotes(later(now, 65 * MINUTE), seller, ids, random)
    if (day % 4 === 0)
      await attachFiles(later(now, 80 * MINUTE), seller, ids[0] as number, set.shopFiles, day)
    await addLeadTasks(later(now, 95 * MINUTE), today, shop.pick(random, people.staff), ids, random)
    await courier.advanceParcels(later(now, 110 * MINUTE), ids, random)
    if (day % 3 !== 1) await set.regulars.buy(later(now, 130 * MINUTE), seller, random)
  }
  await courier.callWithTokens()
  await addPlannedTasks(later(ctx, -30 * HOUR), today, ada, open)
  const [, ben = ada] = people.staff
  await addConversations(ctx, { ada, ben }, channel, writersOf(set.contacts), set.shopFiles)
}

interface Open {
  id: number
  price: number
  /** -1 if it is closed. */
  stage: number
  pipeline: number[]
}

type Person = { id: number; name: string; phone: string }

interface Shop {
  range: Range
  shopFiles: ShopFiles
  regulars: Awaited<ReturnType<typeof addRepeatCustomers>>
  contacts: Person[]
  companies: { id: number }[]
  workshop: number
  stages: Map<number, number[]>
}

/** Creates the data of the first day. */
async function seedFirstDay(
  ctx: Context,
  ada: Actor,
  { everybody }: People,
  random: shop.Random,
): Promise<Shop> {
  const hooks = { hasCatalog: async () => false, findStages }
  const home = { owner: 'leads' as const, catalog_id: null }
  await addFields(ctx, hooks, ada, home, structuredClone([...shop.leadFields]) as never)
  const [workshop] = await addPipelines(ctx, ada, [structuredClone(shop.workshop) as never])
  const range = await addRange(ctx, ada)
  const shopFiles = await uploadShopFiles(ctx, ada, range)
  const companies = await addEntities(ctx, ada, 'companies', shop.companies)
  const set = { companies, contacts: [] as Person[] }
  await addContacts(ctx, ada, set, KNOWN, random)
  const known = set.contacts.slice(0, REGULARS)
  const regulars = await addRepeatCustomers(
    ctx,
    ada,
    known,
    range,
    (n) => everybody[n % everybody.length] as number,
  )
  const stages = await ownStages(ctx, ada)
  return { ...set, range, shopFiles, regulars, workshop: workshop?.id as number, stages }
}

/** Adds new contacts, some of them with a company. */
async function addContacts(
  ctx: Context,
  actor: Actor,
  { contacts, companies }: Pick<Shop, 'contacts' | 'companies'>,
  many: number,
  random: shop.Random,
): Promise<void> {
  const drafts = Array.from({ length: many }, (_, n) => ({
    ...shop.contact(random, contacts.length + n),
    ...(random() < 0.3 && { _embedded: { companies: [{ id: shop.pick(random, companies).id }] } }),
  }))
  const rows = await addEntities(ctx, actor, 'contacts', drafts)
  rows.forEach(({ id }, n) => {
    const { first_name, last_name, custom_fields_values } = drafts[n] as (typeof drafts)[number]
    const phone = String(custom_fields_values[0]?.values[0]?.value)
    contacts.push({ id, name: `${first_name} ${last_name}`, phone })
  })
}

/** Adds the leads of a day, for sales and for the workshop. */
function addLeads(
  ctx: Context,
  seller: Actor,
  { everybody }: People,
  { contacts, range, workshop }: Shop,
  random: shop.Random,
) {
  const drafts = Array.from({ length: LEADS / DAYS }, () => {
    const inWorkshop = random() < 0.25
    const lead = shop.lead(random, ctx.now(), inWorkshop)
    const bicycles = range.bicycles.filter(({ model }) => model === lead.name)
    return {
      ...lead,
      ...(inWorkshop && { pipeline_id: workshop }),
      responsible_user_id: shop.pick(random, everybody),
      _embedded: {
        contacts: [{ id: shop.pick(random, contacts).id }],
        ...(!inWorkshop &&
          random() < 0.5 && { catalog_elements: [linkTo(range, shop.pick(random, bicycles))] }),
      },
    }
  })
  return addEntities(ctx, seller, 'leads', drafts)
}

/** The custom stages of each pipeline, in order. */
async function ownStages(ctx: Context, actor: Actor): Promise<Map<number, number[]>> {
  const pipelines = await listPipelines(ctx, actor)
  return new Map(
    pipelines.map(({ id, stages }) => [
      id,
      stages.filter(({ is_editable }) => is_editable === 1).map((stage) => stage.id),
    ]),
  )
}

/** Moves some of the open leads forward by a stage; after the last stage, they are won or lost. */
async function moveLeads(ctx: Context, actor: Actor, open: Open[], random: shop.Random): Promise<void> {
  const moving = open.filter(({ stage }) => stage >= 0 && random() < 0.12).slice(0, 12)
  if (moving.length === 0) return
  const patches = moving.map((one) => {
    one.stage++
    const next = one.pipeline[one.stage]
    const ends = next === undefined || random() < 0.2
    const status_id = ends ? (random() < 0.6 ? WON : LOST) : next
    if (ends) one.stage = -1
    return {
      id: one.id,
      status_id,
      // A discount for a returning customer, or extra lights and a lock.
      ...(random() < 0.3 && { price: one.price + shop.pick(random, [-40, -20, 60, 90]) }),
      ...(random() < 0.2 && { tags_to_add: [{ name: shop.pick(random, shop.tags) }] }),
    }
  })
  await editEntities(ctx, actor, 'leads', patches, 'item')
}

/** Adds notes to some of the day's leads. */
async function addLeadNotes(ctx: Context, actor: Actor, leads: number[], random: shop.Random): Promise<void> {
  const discussed = leads.filter(() => random() < 0.7)
  const drafts = discussed.map((entity_id) => ({ entity_id, ...shop.note(random) }))
  if (drafts.length > 0) await addNotes(ctx, actor, noteParents, { type: 'leads' }, drafts as never)
}

/** Attaches the sent picture or price list to the lead. */
async function attachFiles(
  ctx: Context,
  actor: Actor,
  lead: number,
  { picture, prices }: ShopFiles,
  day: number,
): Promise<void> {
  const file_uuid = day % 8 === 0 ? picture : prices
  const draft = { note_type: 'attachment' as const, params: { file_uuid } }
  await addNotes(ctx, actor, noteParents, { type: 'leads', entity_id: lead }, [draft])
}

/** Adds tasks for some of the day's leads. Due ones were completed two hours later. */
async function addLeadTasks(
  ctx: Context,
  today: number,
  actor: Actor,
  leads: number[],
  random: shop.Random,
): Promise<void> {
  const drafts = leads
    .filter(() => random() < 0.5)
    .map((entity_id) => ({
      text: shop.pick(random, shop.taskTexts),
      complete_till: ctx.now() + (1 + Math.floor(random() * 9)) * DAY,
      entity_type: 'leads' as const,
      entity_id,
      task_type_id: 1 + Math.floor(random() * 2),
      responsible_user_id: actor.user_id,
    }))
  if (drafts.length === 0) return
  const tasks = await addTasks(ctx, actor, drafts)
  const done = tasks.filter(({ complete_till }) => complete_till < today - DAY || random() < 0.2)
  if (done.length === 0) return
  await editTasks(
    later(ctx, 2 * HOUR),
    actor,
    done.map(({ id }) => ({ id, is_completed: true, result: { text: shop.pick(random, shop.taskResults) } })),
    'item',
  )
}

/** Adds Ada's tasks: an overdue one, some for today, and some for the following days. */
async function addPlannedTasks(
  ctx: Context,
  today: number,
  ada: Actor,
  open: readonly Open[],
): Promise<void> {
  // Leads that existed at that time.
  const known = open.slice(0, -3 * (LEADS / DAYS)).filter(({ stage }) => stage >= 0)
  const leads = known.slice(-shop.plans.length)
  // A deadline in the last minute means the whole day; the account uses UTC.
  const endOf = (days: number) => Math.floor(today / DAY + days + 1) * DAY - MINUTE
  await addTasks(
    ctx,
    ada,
    leads.map(({ id }, i) => {
      const { text, in_days } = shop.plans[i] as (typeof shop.plans)[number]
      return {
        text,
        complete_till: endOf(in_days),
        entity_type: 'leads' as const,
        entity_id: id,
        task_type_id: 1 + (i % 2),
        responsible_user_id: ada.user_id,
      }
    }),
  )
}

/** Contacts who also write to the shop. */
const writersOf = (contacts: readonly Person[]) =>
  conversations.map((_, n) => contacts[(n + 1) * 17] as Person)
