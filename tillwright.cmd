@node "%~dp0dev.mjs" tillwright %*
