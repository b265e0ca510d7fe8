/**
 * Keys of the simulated wallets. They are published and guard nothing: production loads no line of the simulator. They
 * stand still, so that all processes of a platform and all its starts agree on them.
 */

/** The root that the simulated Apple Pay's signatures lead to. */
export const APPLE_ROOT = `-----BEGIN CERTIFICATE-----
MIIBkjCCATigAwIBAgIUR3JpHv16JoLzA0xcbLh0drUcqXkwCgYIKoZIzj0EAwIw
JjEkMCIGA1UEAwwbVGlsbHdyaWdodCBUZXN0IFdhbGxldCBSb290MCAXDTIwMDEw
MTAwMDAwMFoYDzIwOTYwODI5MDAwMDAwWjAmMSQwIgYDVQQDDBtUaWxsd3JpZ2h0
IFRlc3QgV2FsbGV0IFJvb3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR9mUpn
ownHRbsoHEWmx9+JtAh5gH5WsRTOae3uu2lfhWgkSDO0+l7SKMBoD/Etu/MwLOuE
4yzUMyY2mjHW0g1go0IwQDAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwIB
BjAdBgNVHQ4EFgQUtaDjN85qvNGkkAK5tE9yRJUOdl8wCgYIKoZIzj0EAwIDSAAw
RQIhAKls5HOcaCrj2fn1YsEgBFvFXx38/iM9okea5436lVtRAiApHWy/qksDjgDs
fHR3AzYkwtpWgDZTAw3rFgtidVDZHA==
-----END CERTIFICATE-----
`

/** Marked by the extension of Apple's intermediate certificates. */
export const APPLE_INTERMEDIATE = `-----BEGIN CERTIFICATE-----
MIIBzDCCAXOgAwIBAgIUV3bB4HHZPIUw7CddXJ1bqqBkjrUwCgYIKoZIzj0EAwIw
JjEkMCIGA1UEAwwbVGlsbHdyaWdodCBUZXN0IFdhbGxldCBSb290MCAXDTIwMDEw
MTAwMDAwMFoYDzIwOTYwODI5MDAwMDAwWjAuMSwwKgYDVQQDDCNUaWxsd3JpZ2h0
IFRlc3QgV2FsbGV0IEludGVybWVkaWF0ZTBZMBMGByqGSM49AgEGCCqGSM49AwEH
A0IABPMZCNzEzYdOSPT7z5kNqMJ1rsTloIk58cTEoinibKpsPRZn8mzpClLHpaGH
aRTjaiAmUrNvtQXE/fBrzX0Gx1qjdTBzMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0P
AQH/BAQDAgEGMB0GA1UdDgQWBBRsTJghqqbw70FY611oqzqROvdknDAfBgNVHSME
GDAWgBS1oOM3zmq80aSQArm0T3JElQ52XzAQBgoqhkiG92NkBgIOBAIFADAKBggq
hkjOPQQDAgNHADBEAiBMuQ3O4sS0FKQ1rrjtiDdqDd21aE3L+GbbbnTfe2+CwwIg
a/4CdU/CAY8QxmwQ05EvZ7dSwp+F+4hn+6qy3U9FNgc=
-----END CERTIFICATE-----
`

/** Signs the tokens; marked by the extension of Apple's. */
export const APPLE_LEAF = `-----BEGIN CERTIFICATE-----
MIIBxTCCAWqgAwIBAgIUKX43uM0GxFuTwLy9PUb4x+ZJ3jkwCgYIKoZIzj0EAwIw
LjEsMCoGA1UEAwwjVGlsbHdyaWdodCBUZXN0IFdhbGxldCBJbnRlcm1lZGlhdGUw
IBcNMjAwMTAxMDAwMDAwWhgPMjA5NjA4MjkwMDAwMDBaMCExHzAdBgNVBAMMFlRp
bGx3cmlnaHQgVGVzdCBXYWxsZXQwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASP
tUWFWkb7Hef9E3bqXCnlVzMdSD+lGTe+8YGKooLnJZLJCyTDGNssbK25uB/hi1hk
F8lDm+3i3Fw/5qRwoCR6o3EwbzAMBgNVHRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIH
gDAdBgNVHQ4EFgQU5GLCkNG0KL1IhbzXwhcnVkB+lM4wHwYDVR0jBBgwFoAUbEyY
Iaqm8O9BWOtdaKs6kTr3ZJwwDwYJKoZIhvdjZAYdBAIFADAKBggqhkjOPQQDAgNJ
ADBGAiEA8zpOqi2XZoCnjfg/FVz42ZpALTlCopzs7TXXua9f58gCIQDOJKpRH+Nw
aW7qZdUX8pl5jgdovBxM9CHOdtKQO9idLQ==
-----END CERTIFICATE-----
`

/** The key of `APPLE_LEAF`. */
export const APPLE_LEAF_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg0Nl04v5YK9QyDSCc
JaWqKdTG/z+MlMSOZvuRjG4do3yhRANCAASPtUWFWkb7Hef9E3bqXCnlVzMdSD+l
GTe+8YGKooLnJZLJCyTDGNssbK25uB/hi1hkF8lDm+3i3Fw/5qRwoCR6
-----END PRIVATE KEY-----
`

/** The simulated merchant's payment processing key at Apple. */
export const APPLE_MERCHANT_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgxyZMRv9sj8qrR0zm
9FB3xCDTssKNXUvdtoFQlyMh/HehRANCAASgJvtPKgAF9xlI25RsiMAnsGPDGjdo
uaGsQMO3CNWOvua6DqJQh/KjM6ytKifvfVDQ+RYhW/UdGwMAHzU/1ngu
-----END PRIVATE KEY-----
`

/** The root key of the simulated Google Pay. */
export const GOOGLE_ROOT_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgqwWoBOi69dwktxKf
ttA7xq8rE7I3RVJUyQoRfLr2Lx6hRANCAAT4smJzp021PWqAcC/CkqzzOx87QyL/
+dBRXBTtZNx5qZDoy9E+kbIKivzNGF9yuVV+4n9Ep5tl1mNIwgMMdhaf
-----END PRIVATE KEY-----
`

/** The simulated merchant's key at Google. */
export const GOOGLE_MERCHANT_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgS5wUxaHPdPuYhOKI
Fhk9NM6iP7zYsttLCf9gvxFqVKGhRANCAAT4b7zilxWoGaLBezmazeNUu1/hwMlg
x7JPygMaOgh3kSG1HdS+X+hOwMxrE5Perf4/98sm2loC0+GUmJh7r45V
-----END PRIVATE KEY-----
`

/** The simulated merchant's identifier at Apple, and its id at Google. */
export const APPLE_MERCHANT_IDENTIFIER = 'merchant.test.tillwright'
export const GOOGLE_MERCHANT_ID = '12345678901234567890'
