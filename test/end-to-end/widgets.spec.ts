import { expect, test } from '@playwright/test'
import { checkPage } from './check-page.ts'
import { ask } from './own-api.ts'
import { register, signIn, watch } from './people.ts'

const setting = (key: string, name: string, type: string, is_required = false) => ({
  key,
  name,
  type,
  is_required,
})

test('the widget of an integration is installed with settings, changed and uninstalled', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  const { client_id } = await register(page, { name: 'PBX', redirect_uri: 'https://pbx.example/oauth' })
  await ask(page, 'PUT', `/web/integrations/${client_id}/widget`, {
    code: 'acme_pbx',
    version: '1.0.0',
    settings_template: [
      setting('login', 'Login', 'text', true),
      setting('password', 'Password', 'pass', true),
      setting('phones', 'Extensions', 'users'),
    ],
  })
  await page.goto(`/integrations/installed/${client_id}`)
  const widget = page.getByRole('region', { name: 'Widget' })
  const login = widget.getByLabel('Login')
  const password = widget.getByRole('textbox', { name: 'Password' })
  await login.fill('acme')
  await widget.getByRole('button', { name: 'Install widget' }).click()
  await expect(password).toBeFocused()
  await expect(password).toHaveAccessibleDescription('This field is missing.')
  await password.fill('blue otter sings 9')
  await widget.getByRole('textbox').nth(2).fill('101')
  await widget.getByRole('button', { name: 'Install widget' }).click()
  await expect(widget.getByText('Leave empty to keep the present one.')).toBeVisible()
  await expect(password).toHaveValue('')
  await expect(login).toHaveValue('acme')
  await checkPage(page, '/integrations/installed/widget', 'light')
  await login.fill('other')
  // The integration writes settings, too.
  await ask(page, 'POST', '/web/v4/widgets/acme_pbx', { phones: { 1: '102' } })
  await widget.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved').first()).toBeVisible()
  await page.reload()
  await expect(login).toHaveValue('other')
  await expect(widget.getByRole('textbox').nth(2)).toHaveValue('102')
  await widget.getByRole('button', { name: 'Uninstall widget' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Uninstall widget' }).click()
  await expect(widget.getByRole('button', { name: 'Install widget' })).toBeVisible()
  await expect(login).toHaveValue('')
  expect(seen).toEqual([])
})

test('the widget of an integration is described on its page, with faults at their fields', async ({
  page,
}) => {
  const seen = watch(page)
  await signIn(page)
  const at = async (name: string) => {
    const { client_id } = await register(page, { name, redirect_uri: 'https://pbx.example/oauth' })
    await page.goto(`/integrations/built/${client_id}/widget`)
    return client_id
  }
  const save = () => page.getByRole('button', { name: 'Save' }).click()
  const code = page.getByLabel('Code')
  const setting = (number: number) => page.getByRole('group', { name: `Setting ${number}`, exact: true })
  const add = page.getByRole('button', { name: 'Add setting' })
  const client_id = await at('Described')
  await code.fill('My widget')
  await page.getByLabel('Version').fill('1.0.0')
  await save()
  await expect(code).toBeFocused()
  await expect(page.getByText('Use 1 to 64 lowercase Latin letters, digits and underscores.')).toBeVisible()
  await code.fill('described')
  await add.click()
  await setting(1).getByLabel('Key').fill('login')
  await setting(1).getByLabel('Name').fill('Login')
  await setting(1).getByLabel('Required').check()
  await add.click()
  await setting(2).getByLabel('Key').fill('login')
  await setting(2).getByLabel('Type').click()
  await page.getByRole('option', { name: 'Password', exact: true }).click()
  await save()
  await expect(setting(1).getByLabel('Key')).toBeFocused()
  await expect(setting(2).getByLabel('Key')).toHaveAccessibleDescription('Another setting has this key.')
  await setting(2).getByLabel('Key').fill('password')
  await add.click()
  await page.getByRole('button', { name: 'Remove setting 3' }).click()
  await page.getByLabel('Address for calls').fill('https://pbx.example/calls')
  await page.getByLabel('Source of leads').check()
  await checkPage(page, '/integrations/built/widget', 'light')
  await save()
  await expect(page.getByText('Saved').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save' })).toBeHidden()
  const stored = await ask<{ widget: unknown }>(page, 'GET', `/web/integrations/${client_id}/widget`)
  expect(stored.widget).toEqual({
    code: 'described',
    version: '1.0.0',
    settings_template: [
      { key: 'login', name: 'Login', type: 'text', is_required: true },
      { key: 'password', name: '', type: 'pass', is_required: false },
    ],
    is_lead_source: true,
    is_work_with_dp: false,
    is_crm_template: false,
    webhook_url: 'https://pbx.example/calls',
  })
  await page.reload()
  await expect(setting(2).getByLabel('Type')).toHaveValue('Password')
  await page.getByRole('button', { name: 'Remove setting 2' }).click()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(setting(2)).toBeVisible()
  // The server knows the codes of all widgets.
  await at('Second')
  await code.fill('described')
  await page.getByLabel('Version').fill('2')
  await save()
  await expect(code).toHaveAccessibleDescription(/Another widget has this code\./)
  expect(seen).toEqual([])
})
