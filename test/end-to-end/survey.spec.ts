import { expect, type Page, test } from '@playwright/test'
import { checkPage } from './check-page.ts'
import { signIn, watch } from './people.ts'
import { apiOf } from './record-world.ts'

/** Creates a survey for a new contact. Returns its path and the contact's id. */
async function survey(page: Page): Promise<{ path: string; id: number }> {
  const api = await apiOf(page)
  const added = await api.post('contacts', [{ name: 'Asked' }])
  const id = added._embedded.contacts[0].id
  const { url } = await api.post(`contacts/${id}/surveys`, undefined)
  return { path: new URL(url).pathname, id }
}

test('a survey link takes one rating, by keyboard, which is in the log of the record', async ({ page }) => {
  const seen = watch(page)
  await signIn(page)
  const { path, id } = await survey(page)
  await page.goto(path)
  await expect(page.getByRole('heading', { name: /How likely are you to recommend/ })).toBeVisible()
  await expect(page.getByRole('button')).toHaveCount(10)
  await page.getByRole('button', { name: '8 of 10' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
  await page.goto(path)
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
  const api = await apiOf(page)
  const { _embedded } = await api.get(
    `events?filter[type]=nps_rate_added&filter[entity]=contact&filter[entity_id]=${id}`,
  )
  expect(_embedded.events.map((event: { value_after: unknown }) => event.value_after)).toEqual([
    [{ nps: { rate: 9 } }],
  ])
  const timeline = await api.get(`contacts/${id}/timeline`)
  expect(timeline._embedded.items[0].event.type).toBe('nps_rate_added')
  expect(seen).toEqual([])
})

test('its pages pass the checks and need no script', async ({ browser, baseURL, page }) => {
  await signIn(page)
  const { path } = await survey(page)
  const shown = await browser.newContext({ baseURL })
  const visitor = await shown.newPage()
  const seen = watch(visitor)
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    await visitor.emulateMedia({ colorScheme })
    await visitor.setViewportSize({ width, height: 800 })
    for (const [address, name] of [
      [path, '/survey'],
      ['/s/nothing-there', '/short-link-gone'],
    ] as const) {
      await visitor.goto(address)
      await checkPage(visitor, name, colorScheme)
      expect(await visitor.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
    }
    const boxes = await visitor.goto(path).then(() => visitor.getByRole('button').all())
    for (const button of boxes) {
      const box = await button.boundingBox()
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
    }
  }
  expect(seen).toEqual([])
  await shown.close()

  const bare = await browser.newContext({ baseURL, javaScriptEnabled: false })
  const plain = await bare.newPage()
  await plain.goto(path)
  await plain.getByRole('button', { name: '10 of 10' }).click()
  await expect(plain.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
  await bare.close()
})

test('the page of an unknown link is in the browser’s language', async ({ browser, baseURL }) => {
  for (const [locale, title] of [
    ['es-ES', 'Página no encontrada'],
    ['ru-RU', 'Страница не найдена'],
    ['pt-BR', 'Página não encontrada'],
    ['fr-FR', 'Page not found'],
  ] as const) {
    const context = await browser.newContext({ baseURL, locale })
    const page = await context.newPage()
    await page.goto('/survey/nothing-there')
    await expect(page.getByRole('heading', { name: title })).toBeVisible()
    await context.close()
  }
})
