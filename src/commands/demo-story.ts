import { type Actor, addMember, findActor } from '../accounts/accounts.ts'
import { completeRights, type Width } from '../accounts/rights.ts'
import type { Context } from '../context.ts'
import { addFields } from '../custom-fields/custom-fields.ts'
import { addEntities, editEntities, noteParents } from '../entities/entities.ts'
import { addNotes } from '../notes/notes.ts'
import { addPipelines, findStages, LOST, listPipelines, WON } from '../pipelines/pipelines.ts'
import { addTasks, editTasks } from '../tasks/tasks.ts'
import * as shop from './demo-shop.ts'

const LEADS = 200
const CONTACTS = 120
/** The shop's history: so many days, at each of whose ends something happened. */
const DAYS = 40
const DAY = 86_400

/**
 * Fills the demo account by the doors that everybody uses, with a clock that runs through the last weeks: so its log is
 * true, and no two of its days look alike.
 */
export async function tellStory(ctx: Context, ada: Actor): Promise<void> {
  const random = shop.chance(42)
  const today = ctx.now()
  const on = (day: number) => atTime(ctx, today - (DAYS + 1 - day) * DAY - Math.floor(random() * DAY * 0.4))
  const staff = [ada, ...(await hire(ctx, ada))]
  const opening = on(0)
  const surroundings = { hasCatalog: async () => false, findStages }
  await addFields(
    opening,
    surroundings,
    ada,
    { owner: 'leads', catalog_id: null },
    structuredClone([...shop.leadFields]) as never,
  )
  const [workshop] = await addPipelines(opening, ada, [structuredClone(shop.workshop) as never])
  const companies = await addEntities(opening, ada, 'companies', shop.companies)
  const contacts = await addEntities(
    opening,
    ada,
    'contacts',
    Array.from({ length: CONTACTS }, (_, n) => ({
      ...shop.contact(random, n),
      ...(random() < 0.3 && { _embedded: { companies: [{ id: shop.pick(random, companies).id }] } }),
    })),
  )
  const stages = await ownStages(ctx, ada)
  const open: { id: number; stage: number; pipeline: number[] }[] = []
  for (let day = 1; day <= DAYS; day++) {
    const now = on(day)
    const seller = shop.pick(random, staff)
    const drafts = Array.from({ length: LEADS / DAYS }, () => {
      const inWorkshop = random() < 0.25
      return {
        ...shop.lead(random, now.now()),
        ...(inWorkshop && { pipeline_id: workshop?.id as number }),
        responsible_user_id: shop.pick(random, staff).user_id,
        _embedded: { contacts: [{ id: shop.pick(random, contacts).id }] },
      }
    })
    const added = await addEntities(now, seller, 'leads', drafts)
    for (const { id, pipeline_id } of added)
      open.push({ id, stage: 0, pipeline: stages.get(pipeline_id as number) ?? [] })
    await moveSome(now, shop.pick(random, staff), open, random)
    await writeDown(
      now,
      seller,
      added.map(({ id }) => id),
      random,
    )
    await doTasks(
      now,
      shop.pick(random, staff),
      added.map(({ id }) => id),
      random,
    )
  }
}

/** The same context at another time. */
function atTime(ctx: Context, seconds: number): Context {
  return { ...ctx, clock: () => seconds * 1000, now: () => seconds }
}

/** People who see everything, what is their group's, and what is their own. */
async function hire(ctx: Context, ada: Actor): Promise<Actor[]> {
  const hired: Actor[] = []
  for (const { name, email, width } of shop.people) {
    const user_id = await addMember(ctx, ada.account_id, {
      name,
      email,
      password: null,
      rights: rightsOf(width),
    })
    const at = { account_id: ada.account_id, user_id }
    const { integration, request_id, address } = ada
    const actor = await findActor(ctx, at, { integration, request_id, address })
    // Who sees only what is his own could not move what others are responsible for.
    if (actor && width === 'A') hired.push(actor)
  }
  return hired
}

function rightsOf(width: Width) {
  const records = { view: width, edit: width, add: 'A', delete: 'D', export: 'D' } as const
  return completeRights({
    leads: records,
    contacts: records,
    companies: records,
    tasks: { edit: width, delete: 'D' },
    catalog_access: true,
  })
}

/** The own stages of each pipeline, in their order. */
async function ownStages(ctx: Context, actor: Actor): Promise<Map<number, number[]>> {
  const pipelines = await listPipelines(ctx, actor)
  return new Map(
    pipelines.map(({ id, stages }) => [
      id,
      stages.filter(({ is_editable }) => is_editable === 1).map((stage) => stage.id),
    ]),
  )
}

/** Some of the open leads go on by a stage; the last stage ends in won or lost. */
async function moveSome(
  ctx: Context,
  actor: Actor,
  open: { id: number; stage: number; pipeline: number[] }[],
  random: shop.Random,
): Promise<void> {
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
      ...(random() < 0.3 && { price: 300 + Math.floor(random() * 60) * 50 }),
      ...(random() < 0.2 && { tags_to_add: [{ name: shop.pick(random, shop.tags) }] }),
    }
  })
  await editEntities(ctx, actor, 'leads', patches, 'item')
}

/** What was said about some of the day's leads. */
async function writeDown(ctx: Context, actor: Actor, leads: number[], random: shop.Random): Promise<void> {
  const spoken = leads.filter(() => random() < 0.7)
  const drafts = spoken.map((entity_id) => ({ entity_id, ...shop.note(random) }))
  if (drafts.length > 0) await addNotes(ctx, actor, noteParents, 'leads', drafts as never, undefined)
}

/** Tasks for some of the day's leads; some of them are done on the next day. */
async function doTasks(ctx: Context, actor: Actor, leads: number[], random: shop.Random): Promise<void> {
  const drafts = leads
    .filter(() => random() < 0.5)
    .map((entity_id) => ({
      text: shop.pick(random, shop.taskTexts),
      complete_till: ctx.now() + Math.floor(random() * 10) * DAY,
      entity_type: 'leads' as const,
      entity_id,
      task_type_id: 1 + Math.floor(random() * 2),
      responsible_user_id: actor.user_id,
    }))
  if (drafts.length === 0) return
  const tasks = await addTasks(ctx, actor, drafts)
  const done = tasks.filter(() => random() < 0.5)
  if (done.length === 0) return
  await editTasks(
    atTime(ctx, ctx.now() + DAY / 3),
    actor,
    done.map(({ id }) => ({ id, is_completed: true, result: { text: shop.pick(random, shop.taskResults) } })),
    'item',
  )
}
