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
  await widget.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved').first()).toBeVisible()
  await page.reload()
  await expect(login).toHaveValue('other')
  await expect(widget.getByRole('textbox').nth(2)).toHaveValue('101')
  await widget.getByRole('button', { name: 'Uninstall widget' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Uninstall widget' }).click()
  await expect(widget.getByRole('button', { name: 'Install widget' })).toBeVisible()
  await expect(login).toHaveValue('')
  expect(seen).toEqual([])
})
