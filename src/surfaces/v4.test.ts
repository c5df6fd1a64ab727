import { expect, test } from 'vitest'
import { connect, register } from '../../test/fixtures/integrations.ts'
import { world } from '../../test/world.ts'

const FORM = 'application/x-www-form-urlencoded'

test('V14: with a token, JSON may have the type that a library gives a text, or none', async () => {
  const { admin, stranger } = await world()
  const { access_token } = await connect(stranger, await register(admin))
  const api = stranger.as({ token: access_token })
  const types = [
    FORM,
    'Application/X-WWW-Form-Urlencoded; charset=utf-8',
    'text/plain;charset=UTF-8',
    'application/hal+json',
    '',
  ]
  for (const type of types) {
    const name = `Of type ${type}`
    const headers = type === '' ? {} : { 'content-type': type }
    const added = await api.post('/api/v4/leads', JSON.stringify([{ name }]), headers)
    expect(added.status).toBe(200)
    const { id } = added.body._embedded.leads[0]
    expect((await api.get(`/api/v4/leads/${id}`)).body.name).toBe(name)
  }
  const form = await api.post('/api/v4/leads', 'name=Roof', { 'content-type': FORM })
  expect([form.status, form.body.detail]).toEqual([400, 'The body is not valid JSON.'])
  const xml = await api.post('/api/v4/leads', '[]', { 'content-type': 'application/xml' })
  expect([xml.status, xml.body.detail]).toEqual([
    400,
    'The header Content-Type is "application/xml"; it should be application/json.',
  ])
})

test('V13: slashes at the end and next to each other are one address', async () => {
  const { admin, stranger } = await world()
  const { access_token } = await connect(stranger, await register(admin))
  const api = stranger.as({ token: access_token })
  for (const path of ['/api/v4/account/', '//api/v4/account', '/api//v4///account'])
    expect([path, (await api.get(path)).status]).toEqual([path, 200])
  expect((await stranger.get('//api/v4/account')).status).toBe(401)
})
