// The last page of consent in `popup` mode: the opener goes to the redirect URI, and this window closes.
// Without an opener, this window goes there.
const go = document.getElementById('go')
if (go instanceof HTMLAnchorElement && /^https?:$/.test(go.protocol)) {
  const opener = window.opener
  let handed = false
  try {
    if (opener && !opener.closed) {
      opener.location = go.href
      handed = true
    }
  } catch {
    handed = false
  }
  if (handed) window.close()
  else window.location.replace(go.href)
}
