import { Button, Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { channelsOptions } from '../data/channels.ts'
import type { CheckedRequest } from '../data/signatures.ts'
import classes from './signatures.module.css'

const METHODS = ['POST', 'GET', 'DELETE', 'PUT', 'PATCH']
/** As on the server. */
const MOST = 262_144

interface FormProps {
  /** A recorded request, from the address. */
  request: number | undefined
  pending: boolean
  onAsk: (request: CheckedRequest) => void
}

const nothing = { request: '', channel: '', method: 'POST', url: '', headers: '', body: '' }

/** A recorded request, or a pasted one. */
export function SignatureForm({ request, pending, onAsk }: FormProps) {
  const { t } = useTranslation()
  const { data: channels = [] } = useQuery(channelsOptions)
  const [draft, setDraft] = useState({ ...nothing, request: request === undefined ? '' : String(request) })
  const set = (name: keyof typeof nothing) => (value: string) => setDraft({ ...draft, [name]: value })
  const isWrong = draft.request !== '' && !/^[1-9]\d{0,15}$/.test(draft.request)
  const isEmpty = draft.request === '' && draft.url === '' && draft.headers === ''
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isWrong && !isEmpty) onAsk(requestOf(draft))
      }}
    >
      <TextInput
        label={t('signatures.request')}
        description={t('signatures.request_hint')}
        inputMode="numeric"
        value={draft.request}
        error={isWrong && t('signatures.request_wrong')}
        onChange={({ currentTarget }) => set('request')(currentTarget.value.trim())}
      />
      <Select
        label={t('signatures.channel')}
        description={t('signatures.channel_hint')}
        data={[
          { value: '', label: t('signatures.any_channel') },
          ...channels.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={draft.channel}
        onChange={(value) => set('channel')(value ?? '')}
      />
      <Address
        method={draft.method}
        url={draft.url}
        onChange={(change) => setDraft({ ...draft, ...change })}
      />
      <Textarea
        label={t('signatures.headers')}
        description={t('signatures.headers_hint')}
        placeholder={'X-Signature: …\nContent-Type: application/json'}
        classNames={{ input: classes.code }}
        spellCheck={false}
        autosize
        minRows={3}
        maxRows={10}
        value={draft.headers}
        onChange={({ currentTarget }) => set('headers')(currentTarget.value)}
      />
      <Textarea
        label={t('signatures.body')}
        description={t('signatures.body_hint')}
        classNames={{ input: classes.code }}
        spellCheck={false}
        autosize
        minRows={4}
        maxRows={14}
        maxLength={MOST}
        value={draft.body}
        onChange={({ currentTarget }) => set('body')(currentTarget.value)}
      />
      <div>
        <Button type="submit" loading={pending} disabled={isWrong || isEmpty}>
          {t('signatures.check')}
        </Button>
      </div>
    </form>
  )
}

interface AddressProps {
  method: string
  url: string
  onChange: (change: { method?: string; url?: string }) => void
}

function Address({ method, url, onChange }: AddressProps) {
  const { t } = useTranslation()
  return (
    <div className={classes.address}>
      <Select
        label={t('signatures.method')}
        data={METHODS}
        value={method}
        allowDeselect={false}
        onChange={(value) => onChange({ method: value ?? 'POST' })}
      />
      <TextInput
        label={t('signatures.path')}
        spellCheck={false}
        maxLength={8_192}
        value={url}
        onChange={({ currentTarget }) => onChange({ url: currentTarget.value.trim() })}
      />
    </div>
  )
}

function requestOf({ request, channel, method, url, headers, body }: typeof nothing): CheckedRequest {
  const given = headersIn(headers)
  return {
    ...(request !== '' && { request: Number(request) }),
    ...(channel !== '' && { channel_id: channel }),
    ...(url !== '' && { url, method }),
    ...(Object.keys(given).length > 0 && { headers: given }),
    ...((body !== '' || request === '') && { body }),
  }
}

/** Lines of headers, also with the marks of curl. Other lines, such as that of the request, are skipped. */
function headersIn(text: string): Record<string, string> {
  const pairs = text.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^(?:> )?([\w-]+): ?(.*)$/.exec(line) ?? []
    return name === undefined ? [] : [[name.toLowerCase(), value ?? '']]
  })
  return Object.fromEntries(pairs)
}
