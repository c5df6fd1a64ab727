import { expect, test } from 'vitest'
import { connect, register } from '../../test/integrations.ts'
import { world } from '../../test/world.ts'

const FORM = 'application/x-www-form-urlencoded'

test('V14: with a token, JSON may have the type of a form', async () => {
  const { admin, stranger } = await world()
  const { access_token } = await connect(stranger, await register(admin))
  const api = stranger.as({ token: access_token })
  for (const type of [FORM, 'Application/X-WWW-Form-Urlencoded; charset=utf-8']) {
    const added = await api.post('/api/v4/leads', JSON.stringify([{ name: type }]), { 'content-type': type })
    expect(added.status).toBe(200)
    const { id } = added.body._embedded.leads[0]
    expect((await api.get(`/api/v4/leads/${id}`)).body.name).toBe(type)
  }
  const form = await api.post('/api/v4/leads', 'name=Roof', { 'content-type': FORM })
  expect([form.status, form.body.detail]).toEqual([400, 'The body is not valid JSON.'])
  const text = await api.post('/api/v4/leads', '[]', { 'content-type': 'text/plain' })
  expect([text.status, text.body.detail]).toEqual([
    400,
    'The header Content-Type is "text/plain"; it should be application/json.',
  ])
})
