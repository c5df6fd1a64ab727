import { readFileSync } from 'node:fs'
import { collectDefaultMetrics } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { world } from '../world.ts'
import { readExpression } from './promql.ts'

const read = (name: string) => readFileSync(`docs/operating/${name}`, 'utf8')

/** Labels that Prometheus adds to each metric. */
const ADDED = ['job', 'instance']

/** The labels of every metric of a server, by the names that Prometheus stores. */
async function metricsOfServer(): Promise<Map<string, string[]>> {
  const { ctx } = await world({ ownServer: true })
  const { registry } = ctx.metrics
  collectDefaultMetrics({ register: registry })
  const all = new Map<string, string[]>([['up', ADDED]])
  for (const { name, type, values } of await registry.getMetricsAsJSON()) {
    const metric = registry.getSingleMetric(name) as unknown as { labelNames: string[] }
    const labels = [...metric.labelNames, ...Object.keys(values[0]?.labels ?? {}), ...ADDED]
    all.set(name, labels)
    if (String(type) !== 'histogram') continue
    for (const part of ['sum', 'count']) all.set(`${name}_${part}`, labels)
    all.set(`${name}_bucket`, [...labels, 'le'])
  }
  return all
}

/** The metrics and labels that an expression reads and the server does not have. */
function mistakesIn(expression: string, metrics: Map<string, string[]>): string[] {
  const { reads, groups } = readExpression(expression)
  return reads.flatMap(({ metric, labels }) => {
    const known = metrics.get(metric)
    if (!known) return [`${metric} does not exist`]
    return [...labels, ...groups]
      .filter((label) => !known.includes(label))
      .map((label) => `${metric} has no label ${label}`)
  })
}

interface Panel {
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string; legendFormat: string }[]
}

describe('The files for monitoring', () => {
  test('read only metrics and labels that the server has', async () => {
    const metrics = await metricsOfServer()
    const { groups } = parse(read('alerts.yml')) as { groups: { rules: { alert: string; expr: string }[] }[] }
    const rules = groups.flatMap((group) => group.rules)
    const { panels, templating } = JSON.parse(read('grafana-dashboard.json'))
    const targets = (panels as Panel[]).flatMap(({ targets = [] }) => targets)
    const expressions = [...rules, ...targets].map(({ expr }) => expr)
    expect(expressions.length).toBeGreaterThan(40)
    expect(expressions.flatMap((expression) => mistakesIn(expression, metrics))).toEqual([])
    // The check notices mistakes.
    expect(
      ['patchbay_gone', 'sum by (kind) (rate(patchbay_jobs{status="x"}[5m]))'].map((wrong) =>
        mistakesIn(wrong, metrics),
      ),
    ).toEqual([
      ['patchbay_gone does not exist'],
      ['patchbay_jobs has no label status', 'patchbay_jobs has no label kind'],
    ])
    expect(() => readExpression('sum by (')).toThrow('not PromQL')

    const query = /label_values\((\w+), job\)/.exec(templating.list[1].query)?.[1]
    expect(metrics.has(String(query))).toBe(true)
    for (const { legendFormat } of targets)
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
        expect([...metrics.values()].flat()).toContain(label)
    const own = [...metrics.keys()].filter((name) => /^patchbay_(?!.*_(sum|count|bucket)$)/.test(name))
    const stated = [...read('monitoring.md').matchAll(/^\| `(patchbay_\w+)/gm)].map(([, name]) => name)
    expect(stated.sort()).toEqual(own.sort())
  })

  test('have names once, and panels that do not overlap', () => {
    const { groups } = parse(read('alerts.yml'))
    const names = groups[0].rules.map(({ alert }: { alert: string }) => alert)
    expect(new Set(names).size).toBe(names.length)
    const { panels } = JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] }
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
  })
})
