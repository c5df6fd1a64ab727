import { deepEqual, equal } from 'node:assert/strict'
import type { Client } from 'amocrm-js'
import type { Calls } from '../every-method.ts'

type Leads = Client['leads']
/** Its types leave out some methods. */
type Page = Omit<Awaited<ReturnType<Leads['get']>>, 'fetch'> &
  Record<'refresh' | 'first' | 'fetch', () => Promise<{ id?: number }[]>>
type Lead = InstanceType<Client['Lead']>
type Task = InstanceType<Client['Task']>

const idsOf = (rows: { id?: number }[] = []) => rows.map(({ id }) => id)

/** A list of leads, two at a time. `ids` are all of them. */
export function pageCalls(list: object, ids: number[]): Calls {
  const page = list as Page
  const seen = () => [page.getPage(), ...idsOf(page.getData())]
  return {
    'page.fetch': async () => deepEqual(idsOf(await page.fetch()), ids.slice(0, 2)),
    'page.getData': () => deepEqual(idsOf(page.getData()), ids.slice(0, 2)),
    'page.getPage': () => equal(page.getPage(), 1),
    'page.hasNext': () => equal(page.hasNext(), true),
    'page.next': async () => {
      await page.next()
      deepEqual(seen(), [2, ...ids.slice(2)])
    },
    'page.hasPrev': () => equal(page.hasPrev(), true),
    'page.refresh': async () => {
      await page.refresh()
      deepEqual(seen(), [2, ...ids.slice(2)])
    },
    'page.hasFirst': () => equal(page.hasFirst(), true),
    'page.first': async () => {
      await page.first()
      deepEqual(seen(), [1, ...ids.slice(0, 2)])
    },
    'page.prev': async () => {
      await page.next()
      await page.prev()
      deepEqual(seen(), [1, ...ids.slice(0, 2)])
    },
  }
}

/** The tags in a lead, its tasks, and the record of a task. */
export function partCalls(lead: Lead, task: Task): Calls {
  const { embeddedTags: tags, tasks } = lead
  const names = async () => ((await lead.fetch()) as Lead)._embedded?.tags?.map(({ name }) => name)
  return {
    'embedded.add': async () => {
      tags.add([{ name: 'spring' }])
      await lead.save()
      deepEqual(await names(), ['spring'])
    },
    'embedded.get': () => deepEqual(tags.get(), [{ name: 'spring' }]),
    'embedded.set': async () => {
      tags.set([{ name: 'autumn' }] as never)
      await lead.save()
      deepEqual(await names(), ['autumn'])
    },
    'embedded.getEmbeddedSaveCriteria': () => {
      const list = tags as unknown as { getEmbeddedSaveCriteria(names: string[]): object }
      deepEqual(list.getEmbeddedSaveCriteria(['name']), { _embedded: { tags: [{ name: 'autumn' }] } })
    },
    'embedded.remove': async () => {
      tags.remove()
      await lead.save()
      deepEqual(await names(), [])
    },
    'tasksOfLead.create': async () => {
      const [added] = await tasks.create([{ text: 'Visit', complete_till: task.complete_till } as never])
      equal(typeof added?.id, 'number')
    },
    'tasksOfLead.get': async () => {
      const texts = (await tasks.get()).getData().map(({ text }) => text)
      deepEqual(texts.sort(), ['Call back', 'Visit'])
    },
    'recordOfTask.get': async () => equal((await task.entity.get())?.id, lead.id),
  }
}
