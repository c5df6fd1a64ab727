import { action } from './action.ts'
import { recordOf } from './record-actions.ts'
import type { Scene } from './scene.ts'

const AUDIENCE = { lead: null, audience: null } as const

/** Puts a lead into an audience: the given one, the first of the account, or a new one. */
async function join(scene: Scene, set: { lead: number | null; audience: number | null }) {
  const path = `leads/${await recordOf(scene, 'lead', set.lead)}/audiences`
  const { _embedded } = (set.audience === null && (await scene.ask('GET', 'audiences'))) || {}
  const [first] = (_embedded?.audiences ?? []) as { id: number }[]
  const draft = { name: 'Spring', service: 'ads' }
  const audience_id = await scene.given('audience', set.audience ?? first?.id ?? null, 'audiences', draft)
  await scene.ask('POST', path, { audience_id })
  return `${path}/${audience_id}`
}

export const marketingActions = {
  nps_rate_added: action(
    'A contact rates the company, from 1 to 10.',
    { contact: null, rate: 9 },
    async (scene, { contact, rate }) =>
      scene.ask('POST', `contacts/${await recordOf(scene, 'contact', contact)}/nps`, { rate }),
  ),
  link_followed: action(
    'A contact opens a short link.',
    { contact: null, url: 'https://shop.example/' },
    async (scene, { contact, url }) => {
      const entity_id = await recordOf(scene, 'contact', contact)
      const draft = { url, metadata: { entity_type: 'contacts', entity_id } }
      const { _embedded } = await scene.ask('POST', 'short_links', [draft])
      const [link] = _embedded.short_links
      await scene.visit(new URL(scene.keep('short_link', link.url as string)).pathname)
    },
  ),
  site_visit_note_added: action(
    'The visitor of a lead opens a page of the site.',
    { lead: null, url: 'https://shop.example/bicycles' },
    async (scene, { lead, url }) => {
      const id = await recordOf(scene, 'lead', lead)
      const visitor_uid = scene.keep('visitor', `visitor-${scene.unique()}`)
      await scene.ask('PATCH', `leads/${id}`, { visitor_uid })
      await scene.visit(`/px/${visitor_uid}.gif?url=${encodeURIComponent(url)}`)
    },
  ),
  targeting_in_note_added: action('Puts a lead into an audience.', AUDIENCE, join),
  targeting_out_note_added: action(
    'Puts a lead into an audience, and takes it out.',
    AUDIENCE,
    async (scene, set) => scene.ask('DELETE', await join(scene, set)),
  ),
}

const FORM = { name: 'Request of a form' }

/** An incoming lead of a form, which waits. */
async function arrived(scene: Scene, { name }: typeof FORM) {
  const source_uid = `form-${scene.unique()}`
  const metadata = {
    form_id: 'form-1',
    form_name: 'Ask us',
    form_page: 'https://shop.example',
    ip: '192.0.2.1',
  }
  const _embedded = { leads: [{ name }], contacts: [{ name: 'Ann Stone' }] }
  const draft = { source_name: 'Our site', source_uid, metadata, _embedded }
  const answer = await scene.ask('POST', 'leads/unsorted/forms', [draft])
  const [{ uid, _embedded: records }] = answer._embedded.unsorted
  const lead = scene.keep('lead', records.leads[0].id as number)
  scene.keep('contact', records.contacts[0].id as number)
  return { uid: scene.keep('unsorted', uid as string), lead }
}

export const incomingActions = {
  add_unsorted: action('A form of the site adds an incoming lead.', FORM, arrived),
  update_unsorted: action('Changes the name of a new incoming lead.', FORM, async (scene, set) => {
    const { lead } = await arrived(scene, set)
    await scene.ask('PATCH', `leads/${lead}`, { name: `Name ${scene.unique()}` })
  }),
  delete_unsorted: action('Accepts a new incoming lead.', FORM, async (scene, set) => {
    const { uid } = await arrived(scene, set)
    await scene.ask('POST', `leads/unsorted/${uid}/accept`)
  }),
}
