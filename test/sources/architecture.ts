import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** A source file: its path from the root, with slashes, and its text. */
export interface Source {
  path: string
  text: string
}

/** The violations of a rule, one sentence each. */
export type Rule = (sources: Source[]) => string[]

/** The ground imports no slice, and each of the others imports only those before it. A slice is named by its folder. */
const GROUND = [
  'package',
  'errors',
  'traffic',
  'tracing',
  'fair-queue',
  'node-http',
  'fair-turns',
  'local-days',
  'normal-forms',
  'leased-runner',
  'setting-table',
  'config',
  'context',
  'folders',
  'secrets',
  'master-keys',
  'vault',
  'db',
  'http',
  'outbound',
  'files',
  'cluster',
]
const SLICES = [
  ['accounts'],
  ['saved-views'],
  ['custom-fields'],
  ['events'],
  ['webhooks'],
  ['drive'],
  ['notes'],
  ['pipelines'],
  ['entities'],
  ['catalogs', 'marketing', 'subscriptions', 'call-notices'],
  ['incoming-leads'],
  ['tasks', 'chats'],
  ['timeline', 'jobs'],
  ['integrations'],
  ['automation'],
  ['legacy'],
  ['request-log'],
  ['traces', 'deliveries', 'signatures'],
  ['listening', 'triggers', 'retention'],
]
const ABOVE = [
  ['seed-defaults', 'delivery-kinds', 'chores'],
  ['surfaces'],
  ['app'],
  ['mcp'],
  ['commands'],
  ['main'],
]
const ORDER = [GROUND, ...SLICES, ...ABOVE]

/** Folders of the web application: first the parts of pages, then the pages by slice. */
const WEB_ORDER = [
  ['theme', 'i18n', 'api', 'data', 'parts'],
  ['shell'],
  ...SLICES,
  ['developers'],
  ['cards'],
  ['home'],
  ['routes'],
  ['router'],
  ['main'],
  ['reference'],
]
const WEB_FOLDERS_OF_NO_CODE = ['public']

/** Files of a slice that others can import besides its public API and its schemas. */
const TABLES_OF_TYPES = /-types\.ts$|^accounts\/members\/rights\.ts$/

/** Imports past a public API, with their reasons. Unused exceptions are violations, too. */
export const EXCEPTIONS: { from: string; to: string; because: string }[] = [
  {
    from: 'surfaces/web.ts',
    to: 'accounts/sign-in/session-view.ts',
    because:
      'the surface of the session, as authenticate is of the token; the public API would import itself',
  },
  {
    from: 'commands/demo/demo-tokens.ts',
    to: 'integrations/installations/installations.ts',
    because: 'the demo takes its tokens by the way that every integration goes: a fresh code',
  },
  {
    from: 'commands/demo/demo-tokens.ts',
    to: 'integrations/oauth/token-endpoint.ts',
    because: 'and its exchange',
  },
]

/** The only folders in which some modules can be imported. */
const HOMES: { modules: RegExp; at: RegExp; unless?: RegExp }[] = [
  {
    modules: /^(fastify|@fastify\/.+)$/,
    at: /^(http\/|surfaces\/|app\.ts$|([\w-]+\/){1,2}([\w-]+-)?routes\.ts$)/,
  },
  {
    modules: /^(undici|node:(net|tls|dns|dns\/promises|https|http2|dgram)|.+\/node-http\.ts)$/,
    at: /^(outbound\/|http\/framing\.ts$|commands\/ports\.ts$)/,
    // Types and parsing an address open no connections.
    unless: /^import (type |\{ isIP \})/,
  },
  // The module itself loads undici (node-http.ts).
  { modules: /^node:http$/, at: /^$/, unless: /^import type / },
  { modules: /^(pg|pg-cursor|better-sqlite3)$/, at: /^db\// },
  // The exporter and the SDK open connections of their own, but only to servers of the operator.
  { modules: /^@opentelemetry\//, at: /^tracing\/open-telemetry\.ts$/ },
  { modules: /^(flydrive(\/.+)?|@(aws-sdk|smithy)\/.+)$/, at: /^files\// },
]

const MAX_LINES = { source: 400, test: 600 }
const NAMELESS = /^((.+-)?(helpers?|utils?|misc)(-.+)?|common|types|index)\.tsx?$/

interface Import {
  /** The whole statement, up to the module's name. */
  statement: string
  module: string
  /** Only types are imported, so nothing remains at run time. */
  isType: boolean
  /** The target of a relative import, from the root. */
  target: string | null
}

/** The imports of a file, including multi-line and dynamic ones. */
export function importsOf({ path, text }: Source): Import[] {
  const found = text.matchAll(
    /^(?:import|export)\b[^'"`;=]*?['"]([^'"\n]+)['"]|\bimport\(\s*['"]([^'"\n]+)['"]/gm,
  )
  return [...found].map(([statement, stated, called]) => {
    const module = (stated ?? called) as string
    const target = module.startsWith('.') ? posix.join(posix.dirname(path), module) : null
    return { statement, module, target, isType: /^(import|export) type\b/.test(statement) }
  })
}

const isTest = (path: string): boolean => /\.(test|spec)\.tsx?$/.test(path)
const program = (sources: Source[], root: string): Source[] =>
  sources.filter(({ path }) => path.startsWith(root) && !isTest(path))
/** `src/accounts/members/queries.ts` belongs to `accounts`, and `src/app.ts` to `app`. */
const partOf = (path: string): string => (path.split('/')[1] as string).replace(/\.tsx?$/, '')
const inside = (path: string): string => path.slice(path.indexOf('/') + 1)
const rank = (order: string[][], part: string): number => order.findIndex((parts) => parts.includes(part))

/** Every import between files of `root`. */
function edges(sources: Source[], root: string): { from: string; to: string }[] {
  return program(sources, root).flatMap((source) =>
    importsOf(source).flatMap(({ target }) =>
      target?.startsWith(root) ? [{ from: source.path, to: target }] : [],
    ),
  )
}

const goesUp = (sources: Source[], root: string, order: string[][]): string[] =>
  edges(sources, root).flatMap(({ from, to }) => {
    const [here, there] = [partOf(from), partOf(to)]
    if (here === there) return []
    const [low, high] = [rank(order, here), rank(order, there)]
    const isAllowed = low === 0 ? high === 0 : high < low
    return isAllowed ? [] : [`${from} imports ${to}, which is above or beside it`]
  })

export const importsGoOneWay: Rule = (sources) => [
  ...goesUp(sources, 'src/', ORDER),
  ...goesUp(sources, 'web/', WEB_ORDER),
]

export const noTwoFoldersImportEachOther: Rule = (sources) => {
  const folders = edges(sources, 'src/').filter(({ from, to }) =>
    [from, to].every((path) => path.split('/').length > 2),
  )
  const pairs = new Set(folders.map(({ from, to }) => `${partOf(from)} ${partOf(to)}`))
  return [...pairs]
    .map((pair) => pair.split(' ') as [string, string])
    .filter(([here, there]) => here < there && pairs.has(`${there} ${here}`))
    .map(([here, there]) => `${here} and ${there} import each other`)
}

/** `src/chats/messages/send.ts` is in the folder `messages` of its slice; `src/chats/chats.ts` is in none. */
const subfolderOf = (path: string): string => path.split('/').slice(2, -1).join('/')

/** Folders of a slice that reach each other by imports. A file beside the folders counts as a folder of its own. */
export const foldersOfASliceImportOneWay: Rule = (sources) => [
  ...foldersImportOneWay(sources, 'src/', SLICES.flat()),
  ...foldersImportOneWay(sources, 'web/', WEB_ORDER.flat()),
]

const foldersImportOneWay = (sources: Source[], root: string, parts: string[]): string[] =>
  parts.flatMap((part) => {
    const imports = edges(sources, root).filter(
      ({ from, to }) => partOf(from) === part && partOf(to) === part && subfolderOf(from) !== subfolderOf(to),
    )
    const next = Map.groupBy(imports, ({ from }) => subfolderOf(from))
    const reaches = (start: string): Set<string> => {
      const seen = new Set<string>()
      const walk = (folder: string): void => {
        for (const { to } of next.get(folder) ?? []) {
          const target = subfolderOf(to)
          if (seen.has(target)) continue
          seen.add(target)
          walk(target)
        }
      }
      walk(start)
      return seen
    }
    return imports
      .filter(({ from, to }) => reaches(subfolderOf(to)).has(subfolderOf(from)))
      .map(({ from, to }) => `${from} imports ${to}, whose folder imports this one`)
  })

const MOST_FILES_BESIDE = 30

const filesBeside = (sources: Source[], folder: string): number =>
  program(sources, `${folder}/`).filter(({ path }) => subfolderOf(path) === '').length

/** The typed requests of the web application are one file for each resource, as its pages look for them. */
const FLAT = ['web/data']

export const largeSlicesHaveFolders: Rule = (sources) =>
  [...SLICES.flat().map((slice) => `src/${slice}`), ...WEB_ORDER.flat().map((part) => `web/${part}`)]
    .filter((folder) => !FLAT.includes(folder) && filesBeside(sources, folder) > MOST_FILES_BESIDE)
    .map((folder) => `${folder} has more than ${MOST_FILES_BESIDE} files: sort them into folders by subject`)

const isSlice = (part: string): boolean => SLICES.flat().includes(part)
const isSurface = (part: string): boolean => part === 'surfaces' || part === 'app'

/** Whether other slices, or surfaces, can import this file. */
function isEntrance(to: string, isFromSurface: boolean): boolean {
  const path = inside(to)
  const file = posix.basename(path)
  if (
    path === `${partOf(to)}/${partOf(to)}.ts` ||
    file.endsWith('schemas.ts') ||
    TABLES_OF_TYPES.test(inside(to))
  )
    return true
  return isFromSurface && file.endsWith('routes.ts')
}

const passesBy = (sources: Source[]) =>
  edges(sources, 'src/').filter(
    ({ from, to }) =>
      partOf(from) !== partOf(to) && isSlice(partOf(to)) && !isEntrance(to, isSurface(partOf(from))),
  )

export const slicesAreImportedByTheirPublicApi: Rule = (sources) =>
  passesBy(sources)
    .filter(({ from, to }) => !EXCEPTIONS.some((one) => one.from === inside(from) && one.to === inside(to)))
    .map(({ from, to }) => `${from} imports ${to}, which is not a public API`)

export const exceptionsAreNeeded: Rule = (sources) =>
  EXCEPTIONS.filter(
    (one) => !passesBy(sources).some(({ from, to }) => one.from === inside(from) && one.to === inside(to)),
  ).map(({ from, to }) => `${from} does not import ${to}: the exception can go`)

/** Table names in queries: `selectFrom('members as m')`, `innerJoin('users', …)`, `from(['a'])`, and in raw SQL. */
function tablesIn(text: string, tables: readonly string[]): string[] {
  const built = text.matchAll(
    /\b(?:selectFrom|insertInto|replaceInto|updateTable|deleteFrom|mergeInto|from|using|[a-z]+Join(?:Lateral)?|table)\(\s*\[?((?:\s*'[^'\n]*',?)+)/g,
  )
  const raw = text.matchAll(/\bsql(?:<[^`]*>)?`[^`]*`/g)
  const names = [
    ...[...built].flatMap(([, quoted]) => quoted?.match(/[a-z_]+(?=( as [a-z_]+)?')/g) ?? []),
    ...[...raw].flatMap(([sql]) => sql.match(/(?<=\b(?:from|join|into|update|table) +"?)[a-z_]+/g) ?? []),
  ]
  return [...new Set(names)].filter((name) => tables.includes(name))
}

export const tablesStandInOneSlicesQueries =
  (tables: readonly string[]): Rule =>
  (sources) => {
    const named = program(sources, 'src/')
      .filter(({ path }) => !path.startsWith('src/db/'))
      .flatMap(({ path, text }) => tablesIn(text, tables).map((table) => ({ path, table })))
    const owners = Map.groupBy(
      named.filter(({ path }) => path.endsWith('queries.ts')),
      ({ table }) => table,
    )
    return [
      ...named
        .filter(({ path }) => !path.endsWith('queries.ts'))
        .map(({ path, table }) => `${path} names the table ${table} outside of queries`),
      ...[...owners].flatMap(([table, places]) => {
        const parts = [...new Set(places.map(({ path }) => partOf(path)))]
        return parts.length > 1 ? [`the table ${table} is named in ${parts.join(' and ')}`] : []
      }),
    ]
  }

export const modulesStayAtHome: Rule = (sources) =>
  program(sources, 'src/').flatMap((source) => [
    ...importsOf(source).flatMap(({ module, statement }) =>
      HOMES.some(
        ({ modules, at, unless }) =>
          modules.test(module) && !at.test(inside(source.path)) && !unless?.test(statement),
      )
        ? [`${source.path} imports ${module}`]
        : [],
    ),
    ...(/(?<![\w.'"])fetch\(/.test(source.text) && !source.path.startsWith('src/outbound/')
      ? [`${source.path} calls fetch`]
      : []),
  ])

export const filesAreSmall: Rule = (sources) =>
  sources.flatMap(({ path, text }) => {
    const lines = text.split('\n').length - 1
    const bound = isTest(path) ? MAX_LINES.test : MAX_LINES.source
    return lines > bound ? [`${path} has ${lines} lines, of ${bound}`] : []
  })

export const filesAreNamed: Rule = (sources) =>
  sources
    .filter(({ path }) => NAMELESS.test(posix.basename(path)))
    .map(({ path }) => `${path} does not name a subject`)

export const foldersAreInTheOrder: Rule = (sources) =>
  sources.flatMap(({ path }) => {
    const order = path.startsWith('src/') ? ORDER : path.startsWith('web/') ? WEB_ORDER : null
    const isKnown = !order || rank(order, partOf(path.replace(/(\.both)?\.test\./, '.'))) >= 0
    const isTestOfRoot = isTest(path) && path.split('/').length === 2
    return isKnown || isTestOfRoot || WEB_FOLDERS_OF_NO_CODE.includes(partOf(path))
      ? []
      : [`${path} is in a folder without a place in the order`]
  })

/** Tables and filters that depend on nothing, so the server and the web application run the same code. */
const isPure = (path: string): boolean => path.startsWith('src/') && /-(types|filter)\.ts$/.test(path)

/** The sources from which the web application can import types: the generated client, the entrances of the server. */
const isTypeSource = (path: string): boolean =>
  path.startsWith('sdk/generated/') || (path.startsWith('src/') && isEntrance(path, false))

export const webTakesTypesAndPureTables: Rule = (sources) =>
  program(sources, 'web/').flatMap((source) =>
    importsOf(source)
      .filter(({ target }) => target !== null && !target.startsWith('web/') && !isPure(target))
      .filter(({ target, isType }) => !(isType && target !== null && isTypeSource(target)))
      .map(({ target }) => `${source.path} imports ${target}`),
  )

export const sharedTablesArePure: Rule = (sources) => {
  const pending = program(sources, 'web/').flatMap(importsOf)
  const shared = new Set<string>()
  for (const { target, isType } of pending) {
    if (isType || !target || !isPure(target) || shared.has(target)) continue
    shared.add(target)
    pending.push(...sources.filter(({ path }) => path === target).flatMap(importsOf))
  }
  return sources
    .filter(({ path }) => shared.has(path))
    .flatMap((source) =>
      importsOf(source)
        .filter(({ target, isType }) => !isType && !(target && isPure(target)))
        .map(({ module }) => `${source.path} imports ${module}, but the web application runs it`),
    )
}

/** The client and the examples are templates for other programs, so they only import types. */
export const clientsStandAlone: Rule = (sources) =>
  ['sdk/', 'examples/'].flatMap((root) =>
    program(sources, root).flatMap((source) =>
      importsOf(source)
        .filter(({ target }) => target !== null && !target.startsWith(root) && !target.startsWith('sdk/'))
        .filter(({ target, isType }) => !(root === 'sdk/' && isType && target?.startsWith('src/')))
        .map(({ target }) => `${source.path} imports ${target}`),
    ),
  )

/** The sources below these folders. */
export function readSources(root: string, folders: string[]): Source[] {
  return folders.flatMap((folder) => {
    try {
      return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
        .filter((path) => /\.tsx?$/.test(path) && !/\/(node_modules|generated)\//.test(path))
        .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw error
    }
  })
}
