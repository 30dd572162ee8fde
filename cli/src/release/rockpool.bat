@echo off
rem Starts Rockpool's command line by the JDK in JAVA_HOME, else by the first on PATH.
setlocal
for %%i in ("%~dp0..") do set "ROOT=%%~fi"
set "JDK=%JAVA_HOME%"
if not defined JDK for %%i in (java.exe) do for %%j in ("%%~dp$PATH:i..") do set "JDK=%%~fj"
set VERSION=0
if exist "%JDK%\release" for /f "usebackq tokens=1,2 delims==." %%a in ("%JDK%\release") do if "%%a"=="JAVA_VERSION" set VERSION=%%b
set VERSION=%VERSION:"=%
if %VERSION% LSS 25 (
  >&2 echo rockpool: install a JDK 25 or newer, and set JAVA_HOME to it
  exit /b 2
)
if "%~1"=="bench" (
  >&2 echo rockpool: bench needs Rockpool's sources: run it by ./rockpool in a checkout
  exit /b 2
)
rem These are over before code of the second compiler would have paid for its compilation.
set MORE=
if "%~1"=="scan" set MORE=-XX:TieredStopAtLevel=1
if "%~1"=="pool" set MORE=-XX:TieredStopAtLevel=1
"%JDK%\bin\java" --enable-native-access=ALL-UNNAMED "-Drockpool.home=%ROOT%" "-Drockpool.command=%ROOT%\bin\rockpool" %MORE% -jar "%ROOT%\lib\rockpool-cli.jar" %*
exit /b %ERRORLEVEL%
