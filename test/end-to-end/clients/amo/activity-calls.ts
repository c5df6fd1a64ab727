import { deepEqual, equal, ok, partialDeepStrictEqual } from 'node:assert/strict'
import type { Calls } from '../every-method.ts'
import { idsOf } from './answers.ts'
import { hour, now, type Scene } from './scene.ts'

/** Tags. */
export function tagCalls({ amo, lead }: Scene): Calls {
  let tag = 0
  const tagsOf = async () => (await amo.lead.getLeadById(lead))._embedded.tags?.map(({ name }) => name).sort()
  const tagged = (...names: string[]) =>
    ({ id: lead, _embedded: { tags: names.map((name) => ({ name })) } }) as never
  const untagged = { id: lead, _embedded: { tags: null } }
  return {
    'tag.addTags': async () => {
      const color = 'FF8F92' as never
      const { _embedded } = await amo.tag.addTags('leads', [{ name: 'pressing', color, request_id: 'u' }])
      partialDeepStrictEqual(_embedded.tags, [{ name: 'pressing', color, request_id: 'u' }])
      tag = _embedded.tags[0]?.id as number
    },
    'tag.getTags': async () => {
      const { _embedded } = await amo.tag.getTags('leads', { filter: (filter) => filter.multi('id', [tag]) })
      deepEqual(_embedded.tags, [{ id: tag, name: 'pressing', color: 'FF8F92' }])
    },
    'tag.addTagsToEntities': async () => {
      await amo.tag.addTagsToEntities('leads', [tagged('pressing')])
      deepEqual(await tagsOf(), ['pressing'])
    },
    'tag.addTagsToEntitiesById': async () => {
      await amo.tag.addTagsToEntitiesById(lead, 'leads', tagged('pressing', 'spring'))
      deepEqual(await tagsOf(), ['pressing', 'spring'])
    },
    'tag.deleteTagsFromEntities': async () => {
      await amo.tag.deleteTagsFromEntities('leads', [untagged])
      deepEqual(await tagsOf(), [])
    },
    'tag.deleteTagsToEntitiesById': async () => {
      await amo.tag.addTagsToEntitiesById(lead, 'leads', tagged('autumn'))
      await amo.tag.deleteTagsToEntitiesById(lead, 'leads', untagged)
      deepEqual(await tagsOf(), [])
    },
  }
}

/** Tasks. */
export function taskCalls({ amo, lead }: Scene): Calls {
  let task = 0
  return {
    'task.addTasks': async () => {
      const about = { entity_id: lead, entity_type: 'leads', complete_till: now + hour }
      const { _embedded } = await amo.task.addTasks([{ ...about, text: 'Call back', task_type_id: 1 }])
      task = idsOf(_embedded.tasks)[0] as number
    },
    'task.getTasks': async () => {
      const { _embedded } = await amo.task.getTasks({ filter: (filter) => filter.multi('id', [task]) })
      deepEqual(idsOf(_embedded.tasks), [task])
    },
    'task.getTaskById': async () => equal((await amo.task.getTaskById(task)).text, 'Call back'),
    'task.updateTasks': async () => {
      const { _embedded } = await amo.task.updateTasks([{ id: task, text: 'Visit' }] as never)
      deepEqual(idsOf(_embedded.tasks), [task])
    },
    'task.updateTaskById': async () => {
      await amo.task.updateTaskById(task, { complete_till: now + 2 * hour })
      equal((await amo.task.getTaskById(task)).complete_till, now + 2 * hour)
    },
    'task.completeTasks': async () => {
      const done = { id: task, is_completed: true, result: { text: 'Was there' } } as const
      await amo.task.completeTasks([done])
      equal((await amo.task.getTaskById(task)).is_completed, true)
    },
    'task.completeTaskById': async () => {
      await amo.task.completeTaskById(task, { is_completed: true, result: { text: 'Was there twice' } })
      deepEqual((await amo.task.getTaskById(task)).result, { text: 'Was there twice' })
    },
  }
}

/** Notes, calls and events. */
export function noteCalls({ amo, ada, lead, contact }: Scene): Calls {
  let note = 0
  return {
    'note.addNotes': async () => {
      const draft = { entity_id: lead, note_type: 'common', params: { text: 'Wants red' } } as const
      const added = await amo.note.addNotes('leads', [draft])
      // Its types have a slip of the pen where this is.
      note = idsOf((added as unknown as { _embedded: { notes: object[] } })._embedded.notes)[0] as number
    },
    'note.getNotesByEntityType': async () => {
      const { _embedded } = await amo.note.getNotesByEntityType('leads', {
        filter: (filter) => filter.multi('id', [note]),
      })
      deepEqual(idsOf(_embedded.notes), [note])
    },
    'note.getNotesByEntityId': async () =>
      ok(idsOf((await amo.note.getNotesByEntityId(lead, 'leads'))._embedded.notes).includes(note)),
    'note.getNotesById': async () =>
      partialDeepStrictEqual(await amo.note.getNotesById(note, 'leads'), {
        entity_id: lead,
        created_by: ada,
        params: { text: 'Wants red' },
      }),
    'note.updateNotes': async () => {
      const patch = { id: note, params: { text: 'Wants blue' } } as never
      partialDeepStrictEqual(await amo.note.updateNotes('leads', [patch]), {
        _embedded: { notes: [{ id: note }] },
      } as object)
    },
    'note.updateNoteById': async () => {
      const whole = { ...(await amo.note.getNotesById(note, 'leads')), params: { text: 'Wants green' } }
      partialDeepStrictEqual(await amo.note.updateNoteById(note, 'leads', whole), { id: note })
    },
    'call.addCalls': async () => {
      const phone = '+44 20 7946 0321'
      const values = [{ value: phone, enum_code: 'WORK' }]
      await amo.contact.updateContactById(contact, {
        custom_fields_values: [{ field_code: 'PHONE', values }],
      })
      const call = { direction: 'inbound', duration: 75, source: 'Exchange', phone } as never
      const { _embedded } = await amo.call.addCalls([call])
      partialDeepStrictEqual(_embedded.calls, [{ entity_id: contact, entity_type: 'contact' }])
    },
    'event.getEvents': async () => {
      const { _embedded } = await amo.event.getEvents({
        filter: (filter) => filter.single('type', 'common_note_added').single('entity', 'lead'),
      })
      equal(_embedded.events[0]?.value_after[0]?.note.id, note)
    },
    'event.getEventById': async () => {
      const { _embedded } = await amo.event.getEvents({ limit: 1 })
      const [newest] = _embedded.events
      deepEqual(await amo.event.getEventById(newest?.id as never), newest)
    },
    'event.getEventsTypes': async () => {
      const { _embedded } = await amo.event.getEventsTypes('ru')
      ok(_embedded.events_types.some(({ key }) => (key as string) === 'lead_added'))
    },
  }
}
