import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test.each([
  ['Mon, 01 Aug 2016 07:07:23', 1_470_035_243],
  ['Mon, 01 Aug 2016 07:07:23 GMT', 1_470_035_243],
  ['Mon, 01 Aug 2016 07:07:23 +0300', 1_470_024_443],
  ['soon', Number.NaN],
])('%s is the same moment in every time zone of the server', (date, seconds) => {
  const url = new URL('./list-parameters.ts', import.meta.url).href
  const program = `import { momentOf } from ${JSON.stringify(url)}
    console.log(momentOf(${JSON.stringify(date)}) / 1000)`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, TZ: 'Asia/Tokyo' },
    encoding: 'utf8',
  })
  expect([stdout.trim(), stderr]).toEqual([String(seconds), ''])
})
