import { type Action, action, type Members, type Value } from './action.ts'
import { anyOf, anyRecord, type Kind, paths, recordOf } from './record-actions.ts'
import type { Scene } from './scene.ts'

/** Writes a note on a record, and returns its id. */
async function note(
  scene: Scene,
  set: Record<string, Value>,
  note_type: string,
  names: readonly string[],
): Promise<{ kind: Kind; id: number }> {
  const { kind, path } = await anyOf(scene, set, 'lead')
  const params = Object.fromEntries(names.map((name) => [name, set[name]]))
  return { kind, id: await scene.add('note', `${path}/notes`, { note_type, params }) }
}

const noted = (summary: string, note_type: string, params: Members): Action =>
  action(summary, { ...anyRecord, ...params } as Members, (scene, set) =>
    note(scene, set, note_type, Object.keys(params)),
  )

const call = { duration: 60, source: 'PBX', phone: '+15550100' }

/** A call is found by the telephone number of a new contact, or written on the given record. */
const outgoingCall = action(
  'Reports an outgoing call to the telephone number of a contact.',
  { ...anyRecord, ...call, phone: '' },
  async (scene, set) => {
    const { duration, source } = set
    const phone = set.phone || `+1555${(Number.parseInt(scene.unique(), 16) % 10_000_000) + 10_000_000}`
    if ((Object.keys(paths) as Kind[]).some((kind) => set[kind] !== null))
      return note(scene, { ...set, phone }, 'call_out', Object.keys(call))
    const custom_fields_values = [{ field_code: 'PHONE', values: [{ value: phone, enum_code: 'WORK' }] }]
    await scene.add('contact', 'contacts', { name: 'New contact', custom_fields_values })
    await scene.add('call', 'calls', { direction: 'outbound', duration, source, phone })
  },
)

const deletedNote = action(
  'Writes a text note and deletes it.',
  { ...anyRecord, text: 'A note' },
  async (scene, set) => {
    const { kind, id } = await note(scene, set, 'common', ['text'])
    await scene.ask('DELETE', `${paths[kind]}/notes/${id}`)
  },
)

const attached = action(
  'Uploads a file and attaches it to a record.',
  { ...anyRecord, file_name: 'note.txt', content: 'A file.' },
  async (scene, set) => {
    const { path } = await anyOf(scene, set, 'lead')
    const session = {
      file_name: set.file_name,
      file_size: Buffer.byteLength(set.content),
      content_type: 'text/plain',
    }
    const { upload_url } = await scene.file(
      'POST',
      '/drive/v1.0/sessions',
      JSON.stringify(session),
      'application/json',
    )
    const uploaded = await scene.file(
      'POST',
      new URL(upload_url).pathname,
      set.content,
      'application/octet-stream',
    )
    await scene.ask('PUT', `${path}/files`, [{ file_uuid: scene.keep('file', uploaded.uuid) }])
  },
  ['files'],
)

/** A text note on a record of one kind. */
export const notedOn = (kind: Kind): Action =>
  action(
    `Writes a text note on a ${kind}.`,
    { [kind]: null, text: 'A note' } as Members,
    async (scene, set) => {
      const id = await recordOf(scene, kind, set[kind] as number | null)
      const params = { text: set.text }
      await scene.add('note', `${paths[kind]}/${id}/notes`, { note_type: 'common', params })
    },
  )

export const noteActions = {
  incoming_call: noted('Writes an incoming call.', 'call_in', call),
  outgoing_call: outgoingCall,
  incoming_sms: noted('Writes an incoming SMS.', 'sms_in', { text: 'Hi', phone: '+15550100' }),
  outgoing_sms: noted('Writes an outgoing SMS.', 'sms_out', { text: 'Hello', phone: '+15550100' }),
  common_note_added: noted('Writes a text note.', 'common', { text: 'A note' }),
  common_note_deleted: deletedNote,
  attachment_note_added: attached,
  geo_note_added: noted('Writes a place.', 'geolocation', {
    text: 'Here',
    address: 'Main street 1',
    longitude: '1.5',
    latitude: '2',
  }),
  service_note_added: noted('Writes a message of a service.', 'service_message', {
    service: 'Till',
    text: 'Paid',
  }),
  message_to_cashier_note_added: noted('Writes a message to the cashier.', 'message_cashier', {
    status: 'created',
    text: 'Change?',
  }),
}
