import { expect, test } from '@playwright/test'
import { checkPage } from './check-page.ts'
import { signIn, watch } from './people.ts'
import { apiOf } from './record-world.ts'
import { startSite } from './site.ts'

test('a button of a company opens its form on trusted websites only', async ({ page }) => {
  const seen = watch(page)
  const pages: Record<string, string> = {}
  const site = await startSite(pages)
  const host = new URL(site.url).host
  await signIn(page)
  await page.goto('/settings/forms')
  await page.getByRole('button', { name: 'New website button' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Talk to us')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const websites = dialog.getByRole('combobox', { name: 'Websites' })
  await expect(websites).toHaveAccessibleDescription(/Add at least one website/)
  await websites.fill(`${site.url}/shop`)
  await websites.press('Enter')
  await checkPage(page, '/settings/forms/button', 'light')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Link and code of Talk to us' }).click()
  await expect(dialog.getByText(`It works on: ${host}.`)).toBeVisible()
  const code = (await dialog.locator('code').last().textContent()) ?? ''

  // The page allows no inline styles, and the button works there, too.
  const policy = "default-src 'none'; script-src *; frame-src *"
  pages['/'] =
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><meta http-equiv="Content-Security-Policy" content="${policy}"><main><h1>Shop</h1></main>${code}${code}</html>`
  await page.goto(site.url)
  const button = page.getByRole('button', { name: 'Talk to us' })
  await button.click()
  const form = page.getByRole('dialog', { name: 'Talk to us' }).frameLocator('iframe')
  await expect(form.getByRole('heading', { name: 'Talk to us' })).toBeVisible()
  await form.getByLabel('Name').focus()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  const name = `Sally Stranger ${Date.now()}`
  await form.getByLabel('Name').fill(name)
  await form.getByLabel('Phone').fill('+44 113 496 0123')
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(form.getByText('Thank you!')).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(button).toHaveAttribute('aria-expanded', 'false')
  expect(seen).toEqual([])

  // The same page on a host that is not among the websites.
  await page.goto(site.url.replace('127.0.0.1', 'localhost'))
  await button.click()
  await expect.poll(() => seen.join()).toContain('frame-ancestors')
  await expect(form.getByRole('heading')).toHaveCount(0)
  site.stop()

  await signIn(page)
  const api = await apiOf(page)
  const { _embedded } = await api.get('leads/unsorted?filter[category]=forms')
  expect(_embedded.unsorted[0]).toMatchObject({
    source_name: 'Talk to us',
    metadata: { referer: `${site.url}/` },
  })
})

test('the panel loads the form again after the thanks, and with its text after a lost connection', async ({
  page,
  context,
}) => {
  const pages: Record<string, string> = {}
  const site = await startSite(pages)
  await signIn(page)
  const api = await apiOf(page)
  const [pipeline] = (await api.get('leads/pipelines'))._embedded.pipelines
  await api.post('website_buttons', { pipeline_id: pipeline.id, trusted_websites: [site.url] })
  const { _embedded } = await api.get('website_buttons?with=scripts')
  const script = _embedded.website_buttons.at(-1).script
  // The rules of the page for all its elements move neither the button nor the panel.
  const style = 'body > div { position: static !important; display: flex; background: pink; width: 100% }'
  pages['/'] =
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title><style>${style}</style><h1>Shop</h1>${script}</html>`
  await page.goto(site.url)
  const button = page.getByRole('button', { name: 'Ask us' })
  const place = await button.boundingBox()
  expect((place?.x ?? 0) + (place?.width ?? 0)).toBe((page.viewportSize()?.width ?? 0) - 20)
  await button.click()
  const form = page.getByRole('dialog').frameLocator('iframe')
  const fill = async (name: string) => {
    await form.getByLabel('Name').fill(name)
    await form.getByLabel('Phone').fill('+44 113 496 0123')
  }
  const reopen = async () => {
    await page.getByRole('button', { name: 'Close' }).click()
    await button.click()
  }
  await fill('Kept while the panel is closed')
  await reopen()
  await expect(form.getByLabel('Name')).toHaveValue('Kept while the panel is closed')
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(form.getByText('Thank you!')).toBeVisible()
  await reopen()
  await expect(form.getByLabel('Name')).toHaveValue('')
  await fill('Lost on the way')
  await context.setOffline(true)
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(form.getByLabel('Name')).toBeHidden()
  await context.setOffline(false)
  await reopen()
  await expect(form.getByLabel('Name')).toHaveValue('Lost on the way')
  await expect(form.getByLabel('Phone')).toHaveValue('+44 113 496 0123')
  await form.getByRole('button', { name: 'Send' }).click()
  await expect(form.getByText('Thank you!')).toBeVisible()
  await reopen()
  await expect(form.getByLabel('Name')).toHaveValue('')
  site.stop()
})
