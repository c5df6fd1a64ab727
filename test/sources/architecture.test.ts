import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { tables } from '../../src/db/tables.ts'
import {
  clientsStandAlone,
  EXCEPTIONS,
  exceptionsAreNeeded,
  filesAreNamed,
  filesAreSmall,
  foldersAreInTheOrder,
  foldersOfASliceImportOneWay,
  importsGoOneWay,
  importsOf,
  largeSlicesHaveFolders,
  modulesStayAtHome,
  noTwoFoldersImportEachOther,
  type Rule,
  readSources,
  sharedTablesArePure,
  slicesAreImportedByTheirPublicApi,
  tablesStandInOneSlicesQueries,
  webTakesTypesAndPureTables,
} from './architecture.ts'
import { exportsAreUsed } from './exports.ts'
import { databasesAreBothTested } from './two-databases.ts'
import { wordsAreUsual } from './words.ts'

const sources = readSources(join(import.meta.dirname, '../..'), [
  'src',
  'web',
  'sdk',
  'examples',
  'test',
  'bench',
  'scripts',
])

const everyTable = [...tables, 'migrations', 'additive_migrations', 'sequences']
const tablesAtHome = tablesStandInOneSlicesQueries(everyTable)

const rules: [string, Rule][] = [
  ['a file only imports from folders before its own', importsGoOneWay],
  ['no two folders import each other', noTwoFoldersImportEachOther],
  [
    'a slice is imported through its public API, its schemas or its table of types',
    slicesAreImportedByTheirPublicApi,
  ],
  ['an exception from the public APIs is still necessary', exceptionsAreNeeded],
  ["a table's name is used in the queries of one slice", tablesAtHome],
  ['fastify, sockets and database drivers are used in their own folders', modulesStayAtHome],
  ['a source file has at most 400 lines, a test 600', filesAreSmall],
  ['a file is named after a subject', filesAreNamed],
  ['every folder has a place in the order', foldersAreInTheOrder],
  ['folders of a slice import one way', foldersOfASliceImportOneWay],
  ['a slice of more than thirty files has folders', largeSlicesHaveFolders],
  ['the web application imports types and pure tables of the server', webTakesTypesAndPureTables],
  ['tables that the web application shares with the server depend on nothing', sharedTablesArePure],
  ['the client and the examples import only types of the server', clientsStandAlone],
  ['behaviour that differs between databases is tested on both', databasesAreBothTested],
  ['an exported value is used in another file', exportsAreUsed],
  ['replaced words are not used again', wordsAreUsual],
]

describe('The architecture', () => {
  test.each(rules)('rule: %s', (_name, rule) => {
    expect(rule(sources)).toEqual([])
  })

  test('the rules see the sources', () => {
    const count = (root: string) => sources.filter(({ path }) => path.startsWith(root)).length
    expect([count('src/') > 100, count('web/') > 50, count('examples/') > 1, count('test/') > 5]).toEqual(
      Array(4).fill(true),
    )
  })

  test('every exception has a reason', () => {
    expect(EXCEPTIONS.filter(({ because }) => because.length < 10)).toEqual([])
  })
})

/** Small programs with one violation each, and the message of the rule. */
const planted: [string, Rule, Record<string, string>, string[]][] = [
  [
    'a replaced word',
    wordsAreUsual,
    { 'src/a.ts': '/** Through the doors. */', 'src/b.ts': 'Outdoors', 'src/c.ts': '/** Who asks. */' },
    [
      'src/a.ts says "doors": write "public API"',
      'src/c.ts says "/** Who": write "the noun: the state, the caller, the entries"',
    ],
  ],
  [
    'an exported value that only its own file uses',
    exportsAreUsed,
    {
      'src/a.ts': 'export const MOST = 1\nexport async function read() {\n  return MOST\n}',
      'web/b.ts': "import { read } from '../src/a.ts'",
    },
    ['src/a.ts exports MOST, which no other file uses'],
  ],
  [
    'a folder with queries but without a both file, and a test with two processes',
    databasesAreBothTested,
    {
      'src/notes/queries.ts': '',
      'src/notes/notes.test.ts': '',
      'src/tasks/races.test.ts': 'secondProcess()',
    },
    [
      'src/notes has queries, and no test that ends in .both.test.ts',
      'src/tasks/races.test.ts differs by database: its name should end in .both.test.ts',
    ],
  ],
  [
    'an import of a slice in the ground',
    importsGoOneWay,
    { 'src/http/a.ts': `import { x } from '../notes/notes.ts'` },
    ['src/http/a.ts imports src/notes/notes.ts, which is above or beside it'],
  ],
  [
    'an import of the app in the ground',
    importsGoOneWay,
    { 'src/config.ts': `import type { App } from './app.ts'` },
    ['src/config.ts imports src/app.ts, which is above or beside it'],
  ],
  [
    'an import of a later slice, over several lines',
    importsGoOneWay,
    { 'src/events/events.ts': `import {\n  type Note,\n  addNotes,\n} from '../notes/notes.ts'` },
    ['src/events/events.ts imports src/notes/notes.ts, which is above or beside it'],
  ],
  [
    'slices next to each other',
    importsGoOneWay,
    { 'src/tasks/tasks.ts': `export * from '../chats/chats.ts'` },
    ['src/tasks/tasks.ts imports src/chats/chats.ts, which is above or beside it'],
  ],
  [
    'a slice that is imported dynamically',
    importsGoOneWay,
    { 'src/accounts/a.ts': `const b = await import('../integrations/integrations.ts')` },
    ['src/accounts/a.ts imports src/integrations/integrations.ts, which is above or beside it'],
  ],
  [
    'an import of the app in a surface',
    importsGoOneWay,
    { 'src/surfaces/v4.ts': `import '../app.ts'` },
    ['src/surfaces/v4.ts imports src/app.ts, which is above or beside it'],
  ],
  [
    'an import of a command in the app',
    importsGoOneWay,
    { 'src/app.ts': `import { dev } from './commands/dev.ts'` },
    ['src/app.ts imports src/commands/dev.ts, which is above or beside it'],
  ],
  [
    'an import of a page in a part of the web application',
    importsGoOneWay,
    { 'web/parts/a.tsx': `import { b } from '../accounts/b.tsx'` },
    ['web/parts/a.tsx imports web/accounts/b.tsx, which is above or beside it'],
  ],
  [
    'folders of the ground that import each other',
    noTwoFoldersImportEachOther,
    {
      'src/db/a.ts': `import { b } from '../http/b.ts'`,
      'src/http/b.ts': `import type { A } from '../db/a.ts'`,
    },
    ['db and http import each other'],
  ],
  [
    "another slice's queries",
    slicesAreImportedByTheirPublicApi,
    { 'src/notes/notes.ts': `import { x } from '../accounts/queries.ts'` },
    ['src/notes/notes.ts imports src/accounts/queries.ts, which is not a public API'],
  ],
  [
    "another slice's routes, which are for surfaces",
    slicesAreImportedByTheirPublicApi,
    { 'src/notes/routes.ts': `import { x } from '../accounts/routes.ts'` },
    ['src/notes/routes.ts imports src/accounts/routes.ts, which is not a public API'],
  ],
  [
    'a surface that imports a rule',
    slicesAreImportedByTheirPublicApi,
    { 'src/surfaces/v4.ts': `import { x } from '../accounts/roles.ts'` },
    ['src/surfaces/v4.ts imports src/accounts/roles.ts, which is not a public API'],
  ],
  [
    'a command that imports routes',
    slicesAreImportedByTheirPublicApi,
    { 'src/commands/dev.ts': `import { x } from '../accounts/routes.ts'` },
    ['src/commands/dev.ts imports src/accounts/routes.ts, which is not a public API'],
  ],
  [
    'unused exceptions',
    exceptionsAreNeeded,
    {},
    EXCEPTIONS.map(({ from, to }) => `${from} does not import ${to}: the exception can go`),
  ],
  [
    'a table in a public API',
    tablesAtHome,
    { 'src/notes/notes.ts': `tx.selectFrom('members as m').selectAll()` },
    ['src/notes/notes.ts names the table members outside of queries'],
  ],
  [
    'tables in joins, lists and raw SQL',
    tablesAtHome,
    {
      'src/notes/notes.ts':
        "db.selectFrom(['users as u', 'groups']).innerJoin(\n 'roles', 'a', 'b')\nsql<{ n: number }>`select 1 from sessions`",
    },
    ['users', 'groups', 'roles', 'sessions'].map(
      (table) => `src/notes/notes.ts names the table ${table} outside of queries`,
    ),
  ],
  [
    'a table of two slices',
    tablesAtHome,
    {
      'src/accounts/queries.ts': `tx.insertInto('members')`,
      'src/notes/note-queries.ts': `tx.deleteFrom('members')`,
    },
    ['the table members is named in accounts and notes'],
  ],
  [
    'fastify in a public API, even for a type',
    modulesStayAtHome,
    { 'src/notes/notes.ts': `import type { FastifyRequest } from 'fastify'` },
    ['src/notes/notes.ts imports fastify'],
  ],
  [
    'a socket, a lookup and a fetch outside of outbound',
    modulesStayAtHome,
    {
      'src/notes/notes.ts': `import { connect } from 'node:net'\nimport { lookup } from 'node:dns/promises'\nawait fetch(url)`,
      'src/http/other.ts': `import { createServer } from '../node-http.ts'`,
      'src/http/framing.ts': `import { createServer } from 'node:http'`,
    },
    [
      'src/notes/notes.ts imports node:net',
      'src/notes/notes.ts imports node:dns/promises',
      'src/notes/notes.ts calls fetch',
      'src/http/other.ts imports ../node-http.ts',
      'src/http/framing.ts imports node:http',
    ],
  ],
  [
    'a driver outside of db',
    modulesStayAtHome,
    { 'src/notes/queries.ts': `import pg from 'pg'` },
    ['src/notes/queries.ts imports pg'],
  ],
  [
    'a file store outside of files, even in a dynamic import',
    modulesStayAtHome,
    {
      'src/drive/a.ts': `const { S3Client } = await import('@aws-sdk/client-s3')`,
      'src/outbound/b.ts': `import { S3Driver } from 'flydrive/drivers/s3'`,
    },
    ['src/drive/a.ts imports @aws-sdk/client-s3', 'src/outbound/b.ts imports flydrive/drivers/s3'],
  ],
  [
    'a long file and a long test',
    filesAreSmall,
    { 'src/a.ts': '\n'.repeat(401), 'src/b.test.ts': '\n'.repeat(601), 'src/c.test.ts': '\n'.repeat(600) },
    ['src/a.ts has 401 lines, of 400', 'src/b.test.ts has 601 lines, of 600'],
  ],
  [
    'names without a subject',
    filesAreNamed,
    {
      'src/notes/helpers.ts': '',
      'src/notes/note-utils.ts': '',
      'src/notes/types.ts': '',
      'web/parts/index.tsx': '',
      'src/notes/note-types.ts': '',
      'src/accounts/common-passwords.ts': '',
    },
    ['src/notes/helpers.ts', 'src/notes/note-utils.ts', 'src/notes/types.ts', 'web/parts/index.tsx'].map(
      (path) => `${path} does not name a subject`,
    ),
  ],
  [
    'folders without a place in the order',
    foldersAreInTheOrder,
    { 'src/services/mail.ts': '', 'src/mail.ts': '', 'web/widgets/a.tsx': '', 'src/config.test.ts': '' },
    ['src/services/mail.ts', 'src/mail.ts', 'web/widgets/a.tsx'].map(
      (path) => `${path} is in a folder without a place in the order`,
    ),
  ],
  [
    'folders of a slice that import each other through a third one',
    foldersOfASliceImportOneWay,
    {
      'src/chats/chats.ts': `import { s } from './messages/send.ts'`,
      'src/chats/messages/send.ts': `import { c } from '../conversations/c.ts'`,
      'src/chats/conversations/c.ts': `import { b } from '../bot/b.ts'`,
      'src/chats/bot/b.ts': `import { s } from '../messages/send.ts'`,
    },
    [
      ['messages/send', 'conversations/c'],
      ['conversations/c', 'bot/b'],
      ['bot/b', 'messages/send'],
    ].map(([from, to]) => `src/chats/${from}.ts imports src/chats/${to}.ts, whose folder imports this one`),
  ],
  [
    'folders of the web application that import each other',
    foldersOfASliceImportOneWay,
    {
      'web/parts/forms/form.tsx': `import { t } from '../toasts/toast.tsx'`,
      'web/parts/toasts/toast.tsx': `import { f } from '../forms/form.tsx'`,
    },
    [
      'web/parts/forms/form.tsx imports web/parts/toasts/toast.tsx, whose folder imports this one',
      'web/parts/toasts/toast.tsx imports web/parts/forms/form.tsx, whose folder imports this one',
    ],
  ],
  [
    'a slice of many files without folders',
    largeSlicesHaveFolders,
    Object.fromEntries(Array.from({ length: 31 }, (_, i) => [`src/notes/note-${i}.ts`, ''])),
    ['src/notes has more than 30 files: sort them into folders by subject'],
  ],
  [
    'code of the server in the web application, or an import past the public API',
    webTakesTypesAndPureTables,
    {
      'web/data/a.ts': `import { rules } from '../../src/accounts/schemas.ts'`,
      'web/data/b.ts': `import type { Row } from '../../src/accounts/queries.ts'`,
      'web/data/c.ts': `import type { User } from '../../src/accounts/schemas.ts'`,
      'web/data/d.ts': `import { fits } from '../../src/tasks/task-filter.ts'`,
      'web/api/e.ts': `import type { paths } from '../../sdk/generated/api.ts'`,
      'web/api/f.ts': `import { createClient } from '../../sdk/client.ts'`,
    },
    [
      'web/data/a.ts imports src/accounts/schemas.ts',
      'web/data/b.ts imports src/accounts/queries.ts',
      'web/api/f.ts imports sdk/client.ts',
    ],
  ],
  [
    'a table of the web application that depends on the server',
    sharedTablesArePure,
    {
      'web/data/a.ts': `import { fits } from '../../src/tasks/task-filter.ts'`,
      'src/tasks/task-filter.ts': `import { kinds } from './task-types.ts'\nimport type { Db } from '../db/database.ts'`,
      'src/tasks/task-types.ts': `import { Type } from 'typebox'\nimport { sql } from '../db/dialect.ts'`,
      'src/notes/note-types.ts': `import { Type } from 'typebox'`,
    },
    ['typebox', '../db/dialect.ts'].map(
      (module) => `src/tasks/task-types.ts imports ${module}, but the web application runs it`,
    ),
  ],
  [
    'an example that uses the server, and a client that runs a part of it',
    clientsStandAlone,
    {
      'examples/a/main.ts': `import type { User } from '../../src/accounts/schemas.ts'`,
      'examples/b/main.ts': `import { client } from '../../sdk/client.ts'`,
      'sdk/a.ts': `import { sign } from '../src/secrets.ts'`,
      'sdk/b.ts': `import type { User } from '../src/accounts/schemas.ts'`,
    },
    ['sdk/a.ts imports src/secrets.ts', 'examples/a/main.ts imports src/accounts/schemas.ts'],
  ],
]

describe('The rules themselves', () => {
  test.each(planted)('find %s', (_name, rule, files, messages) => {
    expect(rule(Object.entries(files).map(([path, text]) => ({ path, text })))).toEqual(messages)
  })

  test('accept a correct program', () => {
    const files = {
      'src/config.ts': `import { join } from 'node:path'`,
      'src/db/tables.ts': `tx.selectFrom('members')`,
      'src/http/hosts.ts': `import { isIP } from 'node:net'\nimport type { Config } from '../config.ts'`,
      'src/http/request.ts': `declare module 'fastify' {\n}`,
      'src/http/framing.ts': `import { createServer } from '../node-http.ts'\nimport Fastify from 'fastify'`,
      'src/outbound/http-client.ts': `import { connect } from 'node:tls'`,
      'src/accounts/accounts.ts': `import { q } from './queries.ts'\nexport const text = names.join(', ')`,
      'src/accounts/accounts.both.test.ts': '',
      'src/accounts/queries.ts': `tx.selectFrom('members as m').innerJoin('users', 'a', 'b')`,
      'src/events/event-types.ts': '',
      'src/notes/notes.ts': `import { e } from '../events/event-types.ts'\nimport { a } from '../accounts/accounts.ts'`,
      'src/notes/note-routes.ts': `import type { FastifyRequest } from 'fastify'\nimport { rights } from '../accounts/members/rights.ts'`,
      'src/surfaces/v4.ts': `import { n } from '../notes/note-routes.ts'`,
      'src/app.ts': `import { v4 } from './surfaces/v4.ts'`,
      'src/commands/serve.ts': `import { a } from '../app.ts'\nimport { text } from '../accounts/accounts.ts'`,
      'src/main.ts': `import { c } from './commands/serve.ts'`,
      'web/notes/page.tsx': `import { a } from '../accounts/name.tsx'\nimport { x } from '../api/x.ts'`,
    }
    const all = Object.entries(files).map(([path, text]) => ({ path, text }))
    const quiet = rules.filter(([, rule]) => rule !== exceptionsAreNeeded)
    expect(quiet.flatMap(([, rule]) => rule(all))).toEqual([])
  })

  test('read every form of import', () => {
    const text = [
      `import a from 'a'`,
      `import { type B } from "b"`,
      `import type { C } from './c.ts'`,
      `import './d.ts'`,
      `import {\n  e,\n} from '../e.ts'`,
      `export { f } from './f.ts'`,
      `export const g = 'from nowhere'`,
      `const h = () => import('./h.ts')`,
    ].join('\n')
    expect(
      importsOf({ path: 'src/x/y.ts', text }).map(({ module, target, isType }) => [module, target, isType]),
    ).toEqual([
      ['a', null, false],
      ['b', null, false],
      ['./c.ts', 'src/x/c.ts', true],
      ['./d.ts', 'src/x/d.ts', false],
      ['../e.ts', 'src/e.ts', false],
      ['./f.ts', 'src/x/f.ts', false],
      ['./h.ts', 'src/x/h.ts', false],
    ])
  })
})
